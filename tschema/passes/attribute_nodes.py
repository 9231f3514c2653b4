"""The nodes that hold attributes of operators, from the operators' parameters.

In: parsed files.  Out: the same files, in which each operator with attributes has a class for them
where its dialect asks for one.  Names are resolved later, as those of any other class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tschema.diagnostics.source import Place
from tschema.ir.casing import camel_case
from tschema.ir.declarations import (
    Assignment,
    ClassDecl,
    Docstring,
    FieldDecl,
    FileDecl,
    FunctionDecl,
    ImportDecl,
    ParamDecl,
    TypeExpr,
    Value,
)
from tschema.passes.stored_calls import StoredAttribute, former_names, stored_attributes

_BASE = "_attributes"
"""The name of the parent of such a node in a file; no schema file can use the name."""


def attribute_node_name(operator: str) -> str:
    """Return the reference class of the node that holds an operator's attributes."""
    return f"{camel_case(operator)}Attrs"


def with_attribute_nodes(files: tuple[FileDecl, ...]) -> tuple[FileDecl, ...]:
    """Return files with the classes of attributes that their operators imply."""
    parents = dict(_parents(files))
    if not parents:
        return files
    return tuple(_expanded(file, parents) for file in files)


def _parents(files: Iterable[FileDecl]) -> Iterable[tuple[str, str]]:
    """Yield the namespaces whose attributes are nodes, with the absolute name of their parent."""
    for file in files:
        for dialect in file.dialects:
            for option in dialect.assignments:
                if option.name == "attributes" and option.value.kind == "name":
                    yield file.namespace, file.qualify(str(option.value.value))


def _expanded(file: FileDecl, parents: Mapping[str, str]) -> FileDecl:
    parent = parents.get(file.namespace)
    operators = [one for one in file.functions if one.is_operator and _attributes(one)]
    if parent is None or not operators:
        return file
    module, _, name = parent.rpartition(".")
    classes = tuple(_node(operator, file) for operator in operators)
    imported = ImportDecl(_BASE, module, name, file.place)
    scope = {**file.scope, _BASE: parent}
    scope.update((one.name, f"{file.module}.{one.name}") for one in classes)
    return replace(
        file,
        classes=(*file.classes, *classes),
        imports=file.imports if module == file.module else (*file.imports, imported),
        scope=scope,
    )


def _attributes(operator: FunctionDecl) -> list[ParamDecl]:
    return [param for param in operator.params if param.operand is None]


def _node(operator: FunctionDecl, file: FileDecl) -> ClassDecl:
    place, attributes = operator.place, _attributes(operator)
    names = {param.name for param in attributes}
    ref = attribute_node_name(operator.name)
    stored, removed = stored_attributes(operator)
    assignments = {
        "type_key": Value("literal", f"{file.namespace}.{ref}", place),
        "renamed_from": _texts(map(_former_key, former_names(operator)), place),
        "removed_fields": _texts(removed, place),
    }
    return ClassDecl(
        name=f"{ref}Node",
        bases=(TypeExpr(_BASE, (), place),),
        doc=Docstring(
            text=f"Attributes of the operator `{operator.name}`.",
            see_also=(ref,),
            attributes=tuple(item for item in operator.doc.params if item.name in names),
        ),
        assignments=tuple(
            Assignment(name, value, place)
            for name, value in assignments.items()
            if value.kind == "literal" or value.elements
        ),
        fields=tuple(_field(param, stored.get(param.name)) for param in attributes),
        methods=(),
        place=place,
    )


def _texts(texts: Iterable[str], place: Place) -> Value:
    return Value("list", None, place, tuple(texts))


def _former_key(operator: str) -> str:
    """Return the class of attributes of a name that an operator had, or its type key."""
    namespace, dot, name = operator.rpartition(".")
    ref = attribute_node_name(name)
    return f"{namespace}{dot}{ref}" if dot else f"{ref}Node"


def _field(param: ParamDecl, stored: StoredAttribute | None) -> FieldDecl:
    options = {} if param.default is None else {"default": param.default}
    if param.kw_only:
        options["kw_only"] = Value("literal", True, param.place)
    if stored is not None and stored.renamed_from:
        options["renamed_from"] = _texts(stored.renamed_from, param.place)
    if stored is not None and stored.constant is not None:
        options["stored_default"] = Value("literal", stored.constant.constant, param.place)
    return FieldDecl(param.name, param.annotation, options, param.place)
