"""Runs a link command, and says what to do where a body is missing.

In: the command, as arguments. Out: its output and its status; if it left something undefined, a
line that names `tschema verify`. CMake calls it for what `tschema_generate()` generates.
"""

import subprocess
import sys

UNDEFINED = ("undefined reference", "undefined symbol", "Undefined symbols", "unresolved external")
ADVICE = (
    "tschema: a method, a function or `PostInit` that the schema declares may have no body: run\n"
    "tschema:   tschema verify --config {}\n"
    "tschema: which names each, with the file where it belongs. A library that takes symbols from\n"
    "tschema: elsewhere is made with tschema_generate(... ALLOW_UNDEFINED).\n"
)


def main(config, command):
    """Run the command; return its status."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode(errors="replace")
    sys.stderr.write(output)
    if done.returncode and any(words in output for words in UNDEFINED):
        sys.stderr.write(ADVICE.format(config))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
