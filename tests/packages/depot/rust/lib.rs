//! Reads and makes objects whose C++ classes have members that Rust does not see.

#[path = "../generated/rust/mod.rs"]
pub mod generated;

use generated::item_functor::{walk_box, ItemVisitor};
use generated::quay::{pack, Crate};
use generated::{weigh, Box_, ItemRef, Latch, Rack, Size};
use tvm_ffi::{tvm_ffi_dll_export_typed_func, Array, Result, String};

fn init() -> Result<()> {
    generated::init()
}

/// Read the fields behind and between members that only C++ has.
fn read(item: ItemRef) -> Result<String> {
    let (name, weight, size) = (item.name.as_str(), item.weight, item.size);
    Ok(format!("{name} {weight} {size} {}", item.reads.get()).into())
}

/// Read own and inherited fields of a class of another root.
fn read_crate(crate_: Crate) -> Result<String> {
    let (name, lid, n_items) = (crate_.name.as_str(), crate_.lid, crate_.items.len());
    Ok(format!("{name} {lid} {n_items} {}", crate_.find("bolt")?).into())
}

/// Make an object, its defaults left to the owner.
fn make(name: String) -> Result<ItemRef> {
    let item = ItemRef::builder(name, 3).build();
    item.note("made by Rust")?;
    Ok(item)
}

#[derive(Default)]
struct Names(Vec<std::string::String>);

impl ItemVisitor for Names {
    fn visit_box(&mut self, node: &Box_) {
        self.0.push(node.name.as_str().to_owned());
        walk_box(self, node);
    }
}

/// Visit boxes in boxes, whose classes have members between the fields.
fn names(item: ItemRef) -> Result<String> {
    let mut names = Names::default();
    names.visit_item(&item);
    Ok(names.0.join(" ").into())
}

fn make_latch(is_open: bool) -> Result<Latch> {
    Ok(Latch::new(is_open))
}

fn make_rack(n_slots: i64) -> Result<Rack> {
    let rack = Rack::builder().n_slots(n_slots).build();
    rack.set_label("by Rust")?;
    Ok(rack)
}

fn pack_twice(item: ItemRef) -> Result<Crate> {
    let items = Array::new(vec![item.clone(), item]);
    assert_eq!(weigh(items.clone())?, 6);
    pack(items, Size::large.0)
}

tvm_ffi_dll_export_typed_func!(init, init);
tvm_ffi_dll_export_typed_func!(read, read);
tvm_ffi_dll_export_typed_func!(read_crate, read_crate);
tvm_ffi_dll_export_typed_func!(make, make);
tvm_ffi_dll_export_typed_func!(names, names);
tvm_ffi_dll_export_typed_func!(make_latch, make_latch);
tvm_ffi_dll_export_typed_func!(make_rack, make_rack);
tvm_ffi_dll_export_typed_func!(pack_twice, pack_twice);
