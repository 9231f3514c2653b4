"""Members of a class written by hand, in three languages."""

from __future__ import annotations

import pytest

from tschema.regions.blocks import scan_comments
from tschema.regions.first_adoption import own_lines

# Path of a file; a class, its own members, and the rest of it.
PYTHON = (
    "a.py",
    """\
# tschema: Dog
@c_class("toy.Dog")
class Dog(Animal):
    \"\"\"A dog.

    It barks.
    \"\"\"

    age: int

""",
    """\
    @property
    def years(self) -> int:
        \"\"\"Years.\"\"\"
        return self.age

    def bark(
        self,
    ) -> None:
        print(self.age)
""",
    "",
)
RUST = (
    "a.rs",
    """\
// tschema: Dog
/// A dog.
/// It barks.
#[repr(C)]
pub struct Dog {
    pub age: i64,
}

""",
    """\
impl Dog {
    /// Bark.
    pub fn bark(&self) {
        println!("{}", self.age);
    }
}
""",
    "",
)
CPP = (
    "a.h",
    """\
// tschema: Dog
/* A dog.
   It barks.
 */
class Dog {
 public:
  int64_t age;
""",
    """\
  Dog() = default;
  enum Mood {
    kCalm,
  };
 private:
  // The mood.
  Mood mood_;
""",
    "};\n",
)
LANGUAGES = [PYTHON, RUST, CPP]


def own(path: str, text: str, generated: str) -> str | None:
    """Return what is the author's in a file of one block."""
    token = "#" if path.endswith(".py") else "//"
    file = scan_comments(path, f"{text}{token} tschema: end\n".encode())
    lines = own_lines(file, file.blocks["Dog"], generated.encode())
    return None if lines is None else b"".join(file.lines[index] for index in lines).decode()


@pytest.mark.parametrize(("path", "head", "members", "tail"), LANGUAGES)
def test_members_that_are_not_generated_are_the_authors(
    path: str, head: str, members: str, tail: str
) -> None:
    assert own(path, head + members + tail, head + tail) == members
    assert own(path, head + tail, head + members + tail) == ""


@pytest.mark.parametrize(("path", "head", "members", "tail"), LANGUAGES)
def test_docs_are_not_lost(path: str, head: str, members: str, tail: str) -> None:
    assert own(path, head + members + tail, head.replace("It barks.", "") + tail) is None


@pytest.mark.parametrize(("path", "head", "members", "tail"), LANGUAGES)
def test_a_class_that_is_declared_otherwise_is_not_moved(
    path: str, head: str, members: str, tail: str
) -> None:
    assert own(path, head + members + tail, head.replace("Dog", "Cat") + tail) is None
