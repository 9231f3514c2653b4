//! `Dict<K, V>`: tvm-ffi's mutable map, which its crate lacks.

use std::fmt;
use std::marker::PhantomData;

use crate::call::{from_any, GlobalFunction};
use crate::container::{
    get, get_strict, impl_reference, object_any_methods, raw, to_any, type_schema,
};
use crate::ffi::derive::Object as DeriveObject;
use crate::ffi::type_traits::ContainerElement;
use crate::ffi::{
    Any, AnyCompatible, AnyView, Function, Object, ObjectArc, ObjectRefCore, Result, TVMFFIAny,
    TypeIndex,
};

/// The object of a [`Dict`]: the head of C++ `MapBaseObj`, whose storage stays opaque.
#[repr(C)]
#[derive(DeriveObject)]
#[type_key = "ffi.Dict"]
#[type_index(TypeIndex::kTVMFFIDict)]
#[type_final]
pub struct DictObj {
    base: Object,
    data: *mut std::ffi::c_void,
    size: u64,
}

/// A mutable map, shared with C++ and Python: a change through one handle is seen by all.
///
/// As in C++, it is not synchronized.
#[repr(C)]
pub struct Dict<K, V> {
    data: ObjectArc<DictObj>,
    _marker: PhantomData<(K, V)>,
}

const _: () = assert!(size_of::<Dict<i64, i64>>() == 8);
const _: () = assert!(size_of::<Option<Dict<i64, i64>>>() == 8);

impl<K: ContainerElement, V: ContainerElement> Dict<K, V> {
    /// Make an empty dictionary.
    pub fn new() -> Self {
        Self::from_flat(&[]).expect("tvm-ffi makes an empty dictionary")
    }

    /// Return the number of entries.
    pub fn len(&self) -> usize {
        // SAFETY: the handle keeps the object alive; other handles may change it, so it is read
        // through a pointer.
        unsafe { std::ptr::addr_of!((*ObjectArc::as_raw(&self.data)).size).read() as usize }
    }

    /// Return whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Look up a key.
    ///
    /// # Errors
    ///
    /// The key is not hashable, or its value is not a `V`.
    pub fn get(&self, key: K) -> Result<Option<V>> {
        static COUNT: GlobalFunction = GlobalFunction::new("ffi.DictCount");
        static GET: GlobalFunction = GlobalFunction::new("ffi.DictGetItem");
        let key = to_any(key);
        let args = [AnyView::from(self), AnyView::from(&key)];
        if from_any::<i64>(COUNT.call(&args))? == 0 {
            return Ok(None);
        }
        get(raw(&GET.call(&args)?)).map(Some)
    }

    /// Set the value of a key.
    ///
    /// # Errors
    ///
    /// The key is not hashable.
    pub fn set(&self, key: K, value: V) -> Result<()> {
        static SET: GlobalFunction = GlobalFunction::new("ffi.DictSetItem");
        let (key, value) = (to_any(key), to_any(value));
        SET.call(&[
            AnyView::from(self),
            AnyView::from(&key),
            AnyView::from(&value),
        ])
        .map(drop)
    }

    /// Remove a key, if it is there.
    ///
    /// # Errors
    ///
    /// The key is not hashable.
    pub fn remove(&self, key: K) -> Result<()> {
        static ERASE: GlobalFunction = GlobalFunction::new("ffi.DictErase");
        let key = to_any(key);
        ERASE
            .call(&[AnyView::from(self), AnyView::from(&key)])
            .map(drop)
    }

    /// Return the entries in order of insertion, as they are now.
    ///
    /// # Errors
    ///
    /// A key is not a `K`, or a value is not a `V`.
    pub fn entries(&self) -> Result<Vec<(K, V)>> {
        let entries = self.raw_entries()?;
        entries
            .iter()
            .map(|(key, value)| Ok((get(raw(key))?, get(raw(value))?)))
            .collect()
    }

    fn raw_entries(&self) -> Result<Vec<(Any, Any)>> {
        static ITERATE: GlobalFunction = GlobalFunction::new("ffi.DictForwardIterFunctor");
        const KEY: i64 = 0;
        const VALUE: i64 = 1;
        const ADVANCE: i64 = 2;
        let mut entries = Vec::with_capacity(self.len());
        if self.is_empty() {
            return Ok(entries);
        }
        let iterator: Function = from_any(ITERATE.call(&[AnyView::from(self)]))?;
        let command = |code: i64| iterator.call_packed(&[AnyView::from(&code)]);
        loop {
            entries.push((command(KEY)?, command(VALUE)?));
            if entries.len() == self.len() {
                return Ok(entries);
            }
            command(ADVANCE)?;
        }
    }

    fn from_flat(keys_and_values: &[Any]) -> Result<Self> {
        static NEW: GlobalFunction = GlobalFunction::new("ffi.Dict");
        let args: Vec<_> = keys_and_values.iter().map(AnyView::from).collect();
        from_any(NEW.call(&args))
    }
}

impl_reference!([K, V] Dict<K, V>, DictObj);
crate::impl_conversions!([K: ContainerElement, V: ContainerElement] Dict<K, V>);

impl<K: ContainerElement, V: ContainerElement> Default for Dict<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: ContainerElement, V: ContainerElement> fmt::Debug for Dict<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", Self::type_str(), self.len())
    }
}

impl<K: ContainerElement, V: ContainerElement> FromIterator<(K, V)> for Dict<K, V> {
    /// # Panics
    ///
    /// A key is not hashable.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let flat: Vec<_> = entries
            .into_iter()
            .flat_map(|(key, value)| [to_any(key), to_any(value)])
            .collect();
        Self::from_flat(&flat).expect("the keys are hashable")
    }
}

// SAFETY: an `ffi.Dict` whose entries were checked, moved as its one pointer.
unsafe impl<K: ContainerElement, V: ContainerElement> AnyCompatible for Dict<K, V> {
    object_any_methods!(DictObj, TypeIndex::kTVMFFIDict);

    fn type_str() -> String {
        format!(
            "Dict<{}, {}>",
            K::container_type_str(),
            V::container_type_str()
        )
    }

    fn type_schema() -> String {
        type_schema(
            "ffi.Dict",
            &[K::container_type_schema(), V::container_type_schema()],
        )
    }

    unsafe fn check_any_strict(data: &TVMFFIAny) -> bool {
        if data.type_index != TypeIndex::kTVMFFIDict as i32 {
            return false;
        }
        let dict = unsafe { Self::copy_from_any_view_after_check(data) };
        let is_entry = |(key, value): &(Any, Any)| {
            get_strict::<K>(raw(key)).is_some() && get_strict::<V>(raw(value)).is_some()
        };
        dict.raw_entries()
            .is_ok_and(|entries| entries.iter().all(is_entry))
    }

    unsafe fn try_cast_from_any_view(data: &TVMFFIAny) -> std::result::Result<Self, ()> {
        if data.type_index != TypeIndex::kTVMFFIDict as i32 {
            return Err(());
        }
        let dict = unsafe { Self::copy_from_any_view_after_check(data) };
        if unsafe { Self::check_any_strict(data) } {
            return Ok(dict);
        }
        dict.entries().map(Self::from_iter).map_err(drop)
    }
}
