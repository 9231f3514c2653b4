//! Types that were declared in JSON alone, in Rust: loaded, made, compared, saved, walked.

use std::path::PathBuf;

use uir::ffi::object::ObjectRef;
use uir::ffi::{AnyView, Function, Result};

/// One type: a link to any other object, with a level between 0 and 255; once `Chain`, with a
/// height and a weight.
const SCHEMA: &str = r#"{"version": 1, "package": "rust_test", "namespaces": [
  {"name": "rust_test", "file": "nodes", "source": "schema/nodes.py", "types": [
    {"name": "LinkNode", "key": "rust_test.Link", "ref": "Link", "parent": "ffi.Object",
     "options": {"final": true},
     "fields": [
       {"name": "next", "type": {"kind": "Optional", "args": [{"kind": "Object"}]},
        "offset": 24, "size": 8, "align": 8},
       {"name": "level", "type": {"kind": "uint8"}, "default": {"value": 3},
        "renamed_from": ["height"], "offset": 32, "size": 1}],
     "former_keys": ["rust_test.Chain"], "removed_fields": ["weight"],
     "init": ["next", "level"],
     "layout": {"size": 40, "offset": 24, "depth": 1, "child_slots": 0, "padded": false,
                "digest": "ed8c06c2b409c827"}}]}]}"#;

/// Write the schema to a file of a test's own.
fn schema(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("{name}_{}.json", std::process::id()));
    std::fs::write(&path, text).expect("the folder for temporary files takes one");
    path
}

/// The constructor, once the types are loaded.
fn link(next: Option<&ObjectRef>, level: i64) -> Result<ObjectRef> {
    uir::init()?;
    tschema::load_types(schema("links", SCHEMA))?;
    let new = Function::get_global("rust_test.Link")?;
    let next = next.map_or_else(AnyView::new, AnyView::from);
    new.call_packed(&[next, AnyView::from(&level)])?.try_into()
}

#[test]
fn loading_twice_does_nothing() -> Result<()> {
    link(None, 1)?;
    assert!(!tschema::load_types(schema("again", SCHEMA))?);
    Ok(())
}

#[test]
fn engines_take_declared_objects() -> Result<()> {
    let last = link(None, 7)?;
    let (one, other) = (link(Some(&last), 1)?, link(Some(&last), 1)?);
    assert!(tschema::structural_equal(&one, &other, false)?);
    assert_eq!(
        tschema::structural_hash(&one, false)?,
        tschema::structural_hash(&other, false)?
    );
    let text = tschema::first_mismatch(&one, &link(Some(&last), 2)?, false)?;
    assert_eq!(text.expect("they differ").as_str(), "<root>.level: 1 != 2");
    let from_json: ObjectRef = tschema::load_json(tschema::save_json(&one)?.as_str())?;
    let from_binary: ObjectRef = tschema::load_binary(tschema::save_binary(&one)?.as_slice())?;
    assert!(tschema::structural_equal(&from_json, &from_binary, false)?);
    assert_eq!(
        tschema::repr(&one)?.as_str(),
        "rust_test.Link(next=rust_test.Link(next=None, level=7), level=1)"
    );
    let mut count = 0;
    tschema::walk(&one, tschema::WalkOrder::PreOrder, |_| {
        count += 1;
        tschema::WalkAction::Advance
    })?;
    assert_eq!(count, 2);
    Ok(())
}

#[test]
fn files_of_an_older_version_load() -> Result<()> {
    let now = link(None, 7)?;
    let older = |fields: &str| {
        let node = format!(r#"{{"type":"rust_test.Chain","data":{{{fields}}}}}"#);
        let text = format!(r#"{{"nodes":[{{"type":"None"}},{node}],"root_index":1}}"#);
        tschema::load_json::<ObjectRef>(&text)
    };
    let loaded = older(r#""next":0,"weight":5,"height":7"#)?;
    assert!(tschema::structural_equal(&now, &loaded, false)?);
    let error = older(r#""next":0,"width":5"#)
        .err()
        .expect("it has no width");
    assert!(error.message().contains("the type has no field `width`"));
    assert!(error.message().contains("type `rust_test.Link`"));
    Ok(())
}

#[test]
fn values_are_checked() {
    let error = link(None, 256).err().expect("a level has eight bits");
    assert_eq!(error.kind(), uir::ffi::VALUE_ERROR);
    assert!(error.message().contains("between 0 and 255, not 256"));
}

#[test]
fn what_cannot_be_loaded_is_named() -> Result<()> {
    uir::init()?;
    let missing = tschema::load_types("/no/such/schema.json").expect_err("there is no such file");
    assert!(missing
        .message()
        .contains("cannot read `/no/such/schema.json`"));
    let broken = tschema::load_types(schema("broken", "{")).expect_err("it is not JSON");
    assert!(broken.message().contains("malformed JSON IR"));
    link(None, 1)?;
    let other = SCHEMA.replace(r#""final": true"#, r#""final": false"#);
    assert!(tschema::load_types(schema("other", &other)).is_err());
    Ok(())
}
