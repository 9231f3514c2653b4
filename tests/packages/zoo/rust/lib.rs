//! Takes objects apart and builds them again, as the C++ functions of the package do.

#[path = "../generated/rust/mod.rs"]
pub mod generated;

use generated::{
    delete, replace_operator, str_, Checked, Containers, Device, Leaf, None_, Option_, Optionals,
    Plain, References, Reserved, SelfVisitor, Self_, Values,
};
use tschema::Dict;
use tvm_ffi::{tvm_ffi_dll_export_typed_func, Array, Bytes, List, Map, Result, String};

fn init() -> Result<()> {
    generated::init()
}

fn copy(leaf: &Leaf) -> Leaf {
    Leaf::new(leaf.value)
}

fn rebuild_plain(node: Plain) -> Result<Plain> {
    Plain::new(
        node.flag,
        node.i8,
        node.u8,
        node.i16,
        node.u16,
        node.i32,
        node.u32,
        node.i64,
        node.u64,
        node.f32,
        node.f64,
        node.dtype,
        node.order,
        node.extreme,
        node.device.get(),
    )
}

fn rebuild_device(node: Device) -> Result<Device> {
    Ok(Device::new(node.device))
}

fn rebuild_values(node: Values) -> Result<Values> {
    // Copied byte for byte into strings of this library.
    let text = String::from(node.text.as_str());
    let data = Bytes::from(node.data.as_slice());
    Ok(Values::new(
        text,
        data,
        node.anything.clone(),
        node.either.clone(),
    ))
}

fn rebuild_optionals(node: Optionals) -> Result<Optionals> {
    Optionals::new(
        node.flag.get(),
        node.i8.get(),
        node.u8.get(),
        node.i64.get(),
        node.u64.get(),
        node.f32.get(),
        node.f64.get(),
        node.dtype.get(),
        node.order.get(),
        node.extreme.get(),
        node.text.get(),
        node.data.get(),
        node.either.get(),
        node.leaf.clone(),
        node.leaves.clone(),
        node.numbers.clone(),
    )
}

fn rebuild_references(node: References) -> Result<References> {
    Ok(References::new(
        node.leaf.clone(),
        node.anything.clone(),
        node.call.clone(),
        node.tensor.clone(),
        node.dims.clone(),
        node.library.clone(),
    ))
}

fn rebuild_containers(node: Containers) -> Result<Containers> {
    let array: Array<i64> = Array::new(node.array.iter().collect());
    let texts: Array<String> = Array::new(node.texts.iter().collect());
    let leaves = Array::new(node.leaves.iter().map(|leaf| copy(&leaf)).collect());
    let map: Map<String, Leaf> = node
        .map
        .iter()
        .map(|(key, leaf)| (key, copy(&leaf)))
        .collect();
    let list: List<f64> = node.list.iter().collect::<Result<_>>()?;
    let dict = Dict::from_iter(node.dict.entries()?);
    let (number, text, leaf) = node.row.get();
    let row = tschema::Tuple::new((number, text, copy(&leaf)));
    let nested: Map<_, _> = node.nested.iter().collect();
    let mixed: Array<_> = Array::new(node.mixed.iter().collect());
    Ok(Containers::new(
        array, texts, leaves, map, list, dict, row, nested, mixed,
    ))
}

fn rebuild_reserved(node: Reserved) -> Result<Reserved> {
    let made = Reserved::builder(
        String::from(node.template.as_str()),
        node.r#match.as_ref().map(copy),
        node.crate_,
        node.NULL.clone(),
        0,
    )
    .delete(node.delete)
    .r#typeof(node.r#typeof)
    .build();
    replace_operator(made, node.operator.clone())
}

/// Counts the classes that it visits.
struct Classes(i64);

impl SelfVisitor for Classes {
    fn visit_none(&mut self, _node: &None_) {
        self.0 += 1;
    }
}

fn rebuild_self(node: &Self_) -> Result<Self_> {
    if let Some(leaf) = tschema::downcast_ref::<None_>(node) {
        return Ok(None_::new(leaf.unique).into());
    }
    let inner: &delete = tschema::expect_ref(node);
    let parts = inner.clone_.iter().map(|one| rebuild_self(&one));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let mut classes = Classes(0);
    classes.visit_self(node);
    let names = [str_::Self_, str_::name, str_::EOF];
    assert!(names.contains(&inner.kind) && classes.0 > 0);
    delete::builder(Array::new(parts))
        .kind(inner.kind)
        .build()
        .map(Into::into)
}

fn rebuild_option(node: Option_) -> Result<Option_> {
    let none = node.none.as_ref().map(|none| None_::new(none.unique));
    Ok(Option_::new(rebuild_self(&node.new_)?, none))
}

fn rebuild_checked(node: Checked) -> Result<Checked> {
    let small: Array<u8> = Array::new(node.small.iter().collect());
    let orders: Map<_, _> = node.orders.iter().collect();
    let (number, order) = node.pair.get();
    let pair = tschema::Tuple::new((number, order));
    Checked::new(small, orders, pair, node.either.clone())
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(rebuild_plain, rebuild_plain);
tvm_ffi_dll_export_typed_func!(rebuild_device, rebuild_device);
tvm_ffi_dll_export_typed_func!(rebuild_values, rebuild_values);
tvm_ffi_dll_export_typed_func!(rebuild_optionals, rebuild_optionals);
tvm_ffi_dll_export_typed_func!(rebuild_references, rebuild_references);
tvm_ffi_dll_export_typed_func!(rebuild_containers, rebuild_containers);
tvm_ffi_dll_export_typed_func!(rebuild_checked, rebuild_checked);
tvm_ffi_dll_export_typed_func!(rebuild_reserved, rebuild_reserved);
tvm_ffi_dll_export_typed_func!(rebuild_option, rebuild_option);
