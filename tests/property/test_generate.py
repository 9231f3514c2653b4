"""Properties of the generator alone, for random schemas: nothing is compiled here."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, given, settings

from tests.python.support.depth import DEPTH
from tschema.backends import load_backend
from tschema.diagnostics.errors import SchemaError, render
from tschema.emit.render import Renderer
from tschema.frontend import parse_schema
from tschema.ir import codec
from tschema.ir.model import Schema
from tschema.passes import build_schema
from tschema.project.config import CppTarget, DocsTarget, PythonTarget, RustTarget, Target

from .declarations import Package, packages

TARGETS: dict[str, Target] = {
    "cpp": CppTarget("files", PurePosixPath("include"), PurePosixPath("src")),
    "python": PythonTarget(mode="files", dir=PurePosixPath("python")),
    "rust": RustTarget(mode="files", dir=PurePosixPath("rust")),
    "docs": DocsTarget(dir=PurePosixPath("docs")),
}

few = settings(
    max_examples=8 * DEPTH,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
"""Shrinking a whole package takes minutes; what fails is shown as it was drawn."""


def read(package: Package) -> Schema:
    with TemporaryDirectory() as folder:
        for path, text in package.files.items():
            target = Path(folder, "schema", path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        declarations = parse_schema(Path(folder), [PurePosixPath("schema")], package.name)
        try:
            return build_schema(package.name, declarations, {})[0]
        except SchemaError as error:
            shown = "\n".join(render(diagnostic) for diagnostic in error.diagnostics)
            raise AssertionError(f"a right schema is refused:\n{shown}") from error


def emit(schema: Schema) -> dict[str, str]:
    files = {}
    for language, target in TARGETS.items():
        for file in load_backend(language)(schema, target, Renderer()):
            files[f"{language}:{file.path}"] = file.text
    return files


@few
@given(packages("fuzz"))
def test_the_json_ir_round_trips(package: Package) -> None:
    schema = read(package)
    data = codec.encode(schema)
    assert codec.decode(data) == schema
    assert codec.encode(codec.decode(data)) == data


@few
@given(packages("fuzz"))
def test_a_schema_gives_the_same_output_twice_and_through_json(package: Package) -> None:
    first, second = emit(read(package)), emit(read(package))
    assert first == second
    assert emit(codec.decode(codec.encode(read(package)))) == first
