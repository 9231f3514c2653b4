//! The containers that tvm-ffi's crate lacks, through the tvm-ffi library.

use std::collections::{BTreeMap, HashMap};

use tschema::{Dict, IntoFfi, OneOf2, OneOf3, Tuple, Union};
use tvm_ffi::{Any, Array, List, Map, ObjectRefCore, Optional, String};

type Text = Union<(String, i64)>;
type Entry = Tuple<(Text, Option<f64>)>;

#[test]
fn dict_is_shared_and_keeps_its_order() {
    let dict: Dict<String, i64> = Dict::new();
    let alias = dict.clone();
    dict.set("b".into(), 1).unwrap();
    dict.set("a".into(), 2).unwrap();
    dict.set("b".into(), 3).unwrap();
    assert_eq!(alias.len(), 2);
    assert_eq!(alias.get("b".into()).unwrap(), Some(3));
    assert_eq!(alias.get("c".into()).unwrap(), None);
    assert_eq!(alias.entries().unwrap(), [("b".into(), 3), ("a".into(), 2)]);
    alias.remove("b".into()).unwrap();
    assert_eq!(dict.len(), 1);
    assert!(!dict.is_empty());
}

#[test]
fn dict_goes_through_any_as_the_same_object() {
    let dict: Dict<String, Array<i64>> = Dict::from_iter([("x".into(), tschema::array([1, 2]))]);
    let back = Dict::<String, Array<i64>>::try_from(Any::from(dict.clone())).unwrap();
    assert!(dict.same_as(&back));
    let error = Dict::<String, String>::try_from(Any::from(dict)).unwrap_err();
    assert_eq!(error.kind().as_str(), "TypeError");
    assert!(
        error.message().contains("Dict<ffi.String, ffi.String>"),
        "{}",
        error.message()
    );
}

#[test]
fn dict_of_other_values_is_converted_into_a_new_one() {
    let ints: Dict<String, i64> = Dict::from_iter([("x".into(), 1)]);
    let floats = Dict::<String, f64>::try_from(Any::from(ints)).unwrap();
    assert_eq!(floats.get("x".into()).unwrap(), Some(1.0));
}

#[test]
fn tuple_has_elements_of_their_own_types() {
    let tuple = Tuple::new((String::from("a string that is not small"), true, 2.5));
    let (text, flag, number) = tuple.get();
    assert_eq!(
        (text.as_str(), flag, number),
        ("a string that is not small", true, 2.5)
    );
    let back = Tuple::<(String, bool, f64)>::try_from(Any::from(tuple.clone())).unwrap();
    assert!(tuple.same_as(&back));
}

#[test]
fn tuple_of_another_length_or_type_is_refused() {
    let pair = Any::from(Tuple::new((1i64, true)));
    assert!(Tuple::<(i64, bool, bool)>::try_from(pair.clone()).is_err());
    assert!(Tuple::<(i64, String)>::try_from(pair).is_err());
}

#[test]
fn tuple_is_an_array_to_others() {
    let array = Array::<i64>::try_from(Any::from(Tuple::new((1i64, 2i64)))).unwrap();
    assert_eq!(array.iter().collect::<Vec<_>>(), [1, 2]);
    let empty = Any::from(Tuple::new(()));
    assert_eq!(Array::<Any>::try_from(empty).unwrap().len(), 0);
}

#[test]
fn union_tells_its_alternative() {
    assert_eq!(Text::of(7i64).get(), OneOf2::Second(7));
    assert_eq!(Text::of(String::from("x")).get(), OneOf2::First("x".into()));
    let wide: Union<(String, i64, bool)> = OneOf3::Third(true).into();
    assert_eq!(wide.clone().get(), OneOf3::Third(true));
}

#[test]
fn union_refuses_what_it_has_no_alternative_for() {
    assert_eq!(
        Text::try_from(Any::from(7i64)).unwrap().get(),
        OneOf2::Second(7)
    );
    let error = Text::try_from(Any::from(tschema::array([1i64]))).unwrap_err();
    assert!(
        error.message().contains("Variant<ffi.String, int>"),
        "{}",
        error.message()
    );
}

#[test]
fn an_optional_union_is_one_value() {
    assert_eq!(size_of::<Optional<Text>>(), 16);
    let none: Optional<Text> = Optional::none();
    assert!(none.get().is_none());
    let some = Optional::some(Text::of(7i64));
    assert_eq!(some.get().unwrap().get(), OneOf2::Second(7));
}

#[test]
fn containers_nest() {
    let nested: Array<Dict<String, Entry>> = tschema::array([Dict::from_iter([(
        "k".into(),
        (Text::of(1i64), None).into(),
    )])]);
    let back = Array::<Dict<String, Entry>>::try_from(Any::from(nested));
    let (text, number) = back
        .unwrap()
        .get(0)
        .unwrap()
        .get("k".into())
        .unwrap()
        .unwrap()
        .get();
    assert_eq!((text.get(), number), (OneOf2::Second(1), None));
}

#[test]
fn parameters_take_collections_of_what_converts() {
    fn texts(items: impl IntoFfi<Array<String>>) -> Array<String> {
        items.into_ffi()
    }
    let array = texts(["a", "b"]);
    assert!(array.same_as(&texts(&array)));
    assert_eq!(texts(vec!["a", "b"]).get(1).unwrap(), "b");
    assert_eq!(texts(&["a", "b"][..]).len(), 2);
    assert_eq!(texts(Array::default()).len(), 0);

    fn sizes(entries: impl IntoFfi<Map<String, i64>>) -> Map<String, i64> {
        entries.into_ffi()
    }
    assert_eq!(sizes([("a", 1)]).get(&"a".into()).unwrap(), Some(1));
    assert_eq!(sizes(HashMap::from([("a", 1i64)])).len(), 1);
    assert_eq!(sizes(BTreeMap::from([("a", 1i64)])).len(), 1);

    fn list(items: impl IntoFfi<List<i64>>) -> List<i64> {
        items.into_ffi()
    }
    assert_eq!(list([1, 2]).len(), 2);
}
