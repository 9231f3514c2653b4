//! The JSON IR, as much of it as plain data needs, and the questions that the emitters ask of it.

use serde::Deserialize;

use crate::Result;

/// The parent of a type that has no declared one.
const ROOT: &str = "ffi.Object";

#[derive(Deserialize)]
pub struct Schema {
    pub version: u32,
    #[serde(default)]
    imports: Vec<Import>,
    namespaces: Vec<Namespace>,
}

#[derive(Deserialize)]
struct Import {
    namespaces: Vec<Namespace>,
}

/// What one schema file declares.
#[derive(Deserialize)]
pub struct Namespace {
    pub name: String,
    source: String,
    #[serde(default)]
    pub enums: Vec<Enum>,
    #[serde(default)]
    pub types: Vec<Type>,
}

#[derive(Deserialize)]
pub struct Enum {
    pub name: String,
    #[serde(default)]
    pub doc: String,
    #[serde(default)]
    pub members: Vec<Member>,
}

#[derive(Deserialize)]
pub struct Member {
    pub name: String,
    pub value: i32,
    #[serde(default)]
    pub doc: String,
}

#[derive(Deserialize)]
pub struct Type {
    pub key: String,
    #[serde(rename = "ref")]
    pub name: String,
    pub parent: String,
    #[serde(default)]
    pub doc: String,
    #[serde(default)]
    pub options: Options,
    #[serde(default)]
    pub fields: Vec<Field>,
}

#[derive(Default, Deserialize)]
pub struct Options {
    #[serde(default, rename = "abstract")]
    pub is_abstract: bool,
}

#[derive(Deserialize)]
pub struct Field {
    pub name: String,
    #[serde(rename = "type")]
    pub type_ref: TypeRef,
    #[serde(default)]
    pub doc: String,
}

#[derive(Deserialize)]
pub struct TypeRef {
    pub kind: String,
    #[serde(default)]
    key: Option<String>,
    #[serde(default)]
    pub args: Vec<TypeRef>,
}

impl Namespace {
    /// The folder of the schema file.
    pub fn folder(&self) -> &str {
        self.source
            .rsplit_once('/')
            .map_or(self.source.as_str(), |(folder, _)| folder)
    }
}

impl TypeRef {
    /// The key of a declared type or enum.
    pub fn key(&self) -> Result<&str> {
        let missing = || format!("a type of kind `{}` has no key", self.kind);
        self.key.as_deref().ok_or_else(missing)
    }
}

impl Schema {
    /// The imported files, then the package's own.
    pub fn spaces(&self) -> impl Iterator<Item = &Namespace> {
        let imported = self.imports.iter().flat_map(|import| &import.namespaces);
        imported.chain(&self.namespaces)
    }

    /// Each namespace once, in the order of its first file.
    pub fn space_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for space in self.spaces() {
            if !names.contains(&space.name.as_str()) {
                names.push(&space.name);
            }
        }
        names
    }

    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.spaces().flat_map(|space| &space.types)
    }

    pub fn find(&self, key: &str) -> Result<&Type> {
        let found = self.types().find(|class| class.key == key);
        found.ok_or_else(|| format!("no type `{key}` is declared"))
    }

    /// The type and its ancestors, from the root down.
    pub fn lineage<'a>(&'a self, class: &'a Type) -> Result<Vec<&'a Type>> {
        let mut lineage = match class.parent.as_str() {
            ROOT => Vec::new(),
            parent => self.lineage(self.find(parent)?)?,
        };
        lineage.push(class);
        Ok(lineage)
    }

    /// The types that objects have whose type is this one or below.
    pub fn concrete_below<'a>(&'a self, class: &'a Type) -> Vec<&'a Type> {
        let own = (!class.options.is_abstract).then_some(class);
        let children = self.types().filter(|child| child.parent == class.key);
        own.into_iter()
            .chain(children.flat_map(|child| self.concrete_below(child)))
            .collect()
    }

    pub fn has_children(&self, class: &Type) -> bool {
        self.types().any(|child| child.parent == class.key)
    }
}
