//! Values at their limits: from Rust to the owner in C++, and back out of its objects.

use kinds::{init, sub, Leaf, Mode, Optionals, Values};
use tschema::{OneOf2, OneOf3, Union};
use tvm_ffi::{
    Any, Array, DLDataType, DLDevice, DLDeviceType, Function, Map, Module, ObjectRefCore, String,
    Tensor,
};

const WIDE: DLDataType = DLDataType {
    code: 0,
    bits: 64,
    lanes: 2,
};
const DEVICE: DLDevice = DLDevice {
    device_type: DLDeviceType::kDLCPU,
    device_id: 3,
};

fn values(u64_: u64, mode: Mode) -> tvm_ffi::Result<Values> {
    Values::new(
        true,
        i8::MIN,
        i16::MIN,
        i32::MIN,
        i64::MIN,
        200,
        u16::MAX,
        u32::MAX,
        u64_,
        1.5,
        -2.5,
        WIDE,
        DEVICE,
        "a string that is not small",
        &b"\0"[..],
        7i64,
        mode,
    )
}

fn text(value: &str) -> String {
    String::from(value)
}

#[test]
fn plain_values_keep_their_sign_and_width() {
    init().unwrap();
    let read = values(i64::MAX as u64, Mode::SLOW).unwrap();
    assert_eq!(
        (read.b, read.i8, read.i16, read.i32, read.i64),
        (true, i8::MIN, i16::MIN, i32::MIN, i64::MIN)
    );
    assert_eq!(
        (read.u8, read.u16, read.u32, read.u64),
        (200, u16::MAX, u32::MAX, i64::MAX as u64)
    );
    assert_eq!(
        (read.f32, read.f64, read.dt, read.dev),
        (1.5, -2.5, WIDE, DEVICE)
    );
    assert_eq!(read.s.as_str(), "a string that is not small");
    assert_eq!(read.by.as_slice(), b"\0");
    assert_eq!(read.a.try_as::<i64>(), Some(7));
    assert_eq!(read.mode, Mode::SLOW);
}

#[test]
fn what_the_abi_cannot_carry_and_unknown_members_are_refused() {
    for (u64_, mode, name) in [(u64::MAX, Mode::FAST, "u64"), (0, Mode(40), "mode")] {
        let error = values(u64_, mode).unwrap_err();
        assert_eq!(error.kind().as_str(), "ValueError");
        assert!(error.message().contains(name), "{}", error.message());
    }
}

#[test]
fn references_are_shared() {
    let leaf = Leaf::new();
    let function = Function::from_typed(|value: i64| Ok(value + 1));
    let module = Function::get_global("ffi.SystemLib").and_then(|get| get.call_tuple(()));
    let read = kinds::Map::new(
        &leaf,
        leaf.clone(),
        function,
        Tensor::from_slice(&[1.0f32, 2.0], &[2]).unwrap(),
        [1i64, 2],
        Module::try_from(module.unwrap()).unwrap(),
        [Map::from_iter([(text("k"), Any::from(1i64))])],
        [("x", Array::new(vec![leaf.clone()]))],
        [1, 2, 3],
        [("d", Union::of(text("u")))],
        (text("t"), true, leaf.clone()),
        Union::of(leaf.clone()),
        [(leaf.clone(), Some(2.5))],
    );
    assert!(read.leaf.same_as(&leaf) && read.obj.same_as(&leaf));
    let called = read.fun.call_tuple((1i64,)).unwrap();
    assert_eq!(i64::try_from(called).unwrap(), 2);
    assert_eq!(
        (read.ten.shape(), read.sh.as_slice()),
        (&[2][..], &[1, 2][..])
    );
    assert_eq!(read.arr.get(0).unwrap().len(), 1);
    let leaves = read.mp.get(&text("x")).unwrap().unwrap();
    assert!(leaves.get(0).unwrap().same_as(&leaf));
    assert_eq!(read.li.len(), 3);
    let one_of = read.di.get(text("d")).unwrap().unwrap().get();
    assert_eq!(one_of, OneOf2::First(text("u")));
    assert!(read.tu.get().2.same_as(&leaf));
    assert!(matches!(read.un.get(), OneOf3::Third(third) if third.same_as(&leaf)));
    assert_eq!(read.arr_tuple.get(0).unwrap().get().1, Some(2.5));

    let counts = read.many(1, &leaf, "key", [&leaf], true, true, false);
    assert_eq!(counts.unwrap().get(text("key")).unwrap(), Some(4));
    assert_eq!(read.len().unwrap(), 4);
    let any = Leaf::try_from(read.any_result().unwrap()).unwrap();
    assert!(any.same_as(&leaf));
}

#[test]
fn optionals_are_none_or_what_was_given() {
    let none = Optionals::builder(1).build().unwrap();
    assert!(none.ob.is_none() && none.oun.is_none() && none.om.is_none());
    assert!(none.oleaf.is_none() && none.odict.is_none());
    assert_eq!(none.oi.get(), Some(7));
    assert_eq!((none.mode, none.text.as_str()), (Mode::FAST, "x"));
    assert_eq!((none.xs.len(), none.names.len(), none.needed), (0, 0, 1));

    let leaf = Leaf::new();
    let some = Optionals::builder(1)
        .ob(true)
        .oi(Some(8))
        .ou(200)
        .of(0.5)
        .odt(WIDE)
        .odev(DEVICE)
        .os("s")
        .oby(&b"b"[..])
        .om(Mode::SLOW)
        .oleaf(&leaf)
        .oarr([&leaf])
        .omap([("k", &leaf)])
        .odict([("k", &leaf)])
        .otu((text("a"), 1i64))
        .oun(Union::of(5i64))
        .xs([1, 2])
        .names([("n", 1)])
        .mode(Mode::SLOW)
        .build()
        .unwrap();
    assert_eq!((some.ob.get(), some.oi.get()), (Some(true), Some(8)));
    assert_eq!((some.ou.get(), some.of.get()), (Some(200), Some(0.5)));
    assert_eq!(
        (some.odt.get(), some.odev.get()),
        (Some(WIDE), Some(DEVICE))
    );
    assert_eq!(some.os.as_str(), Some("s"));
    assert_eq!(some.oby.get().unwrap().as_slice(), b"b");
    assert_eq!(some.om.get(), Some(Mode::SLOW));
    assert!(some.oleaf.as_ref().unwrap().same_as(&leaf));
    assert_eq!(some.oarr.as_ref().unwrap().len(), 1);
    assert_eq!(some.otu.as_ref().unwrap().get().1, 1);
    assert_eq!(some.oun.get().unwrap().get(), OneOf2::Second(5));
    assert_eq!((some.xs.len(), some.names.len()), (2, 1));
}

#[test]
fn functions_and_types_of_a_nested_namespace_work() {
    let leaf = Leaf::new();
    let made = sub::make_leaf(&leaf, Mode::FAST, [Some(1i64), None]).unwrap();
    assert!(made.unwrap().same_as(&leaf));
    let none = sub::make_leaf(&leaf, Mode::SLOW, Array::default()).unwrap();
    assert!(none.is_none());
    sub::nothing().unwrap();
    let any = sub::anything(3i64).unwrap();
    assert_eq!(i64::try_from(any).unwrap(), 3);
    let derived = sub::Derived::builder(&leaf, 4).build_(9).build();
    assert_eq!((derived.base, derived.build), (4, 9));
    assert!(sub::Leaf::new(&leaf).other.same_as(&leaf));
}
