"""The public interface as text, docs/api: a file for each language, a line for each public name with what declares it, made of the
listings that the reference is made of. Writes the files; with --check, compares them."""

import difflib
import re
import sys

import reference

API = reference.ROOT / "docs/api"
MACRO = re.compile(r"#define \w+|.*")


def lines(groups):
    """Every name with its signature, sorted; what is said of them is left to the reference, and macros' values, which are the version."""
    items = [each for group in groups for item in group.items for each in [item, *item.members]]
    return sorted({f"{item.name}  {MACRO.match(item.signature)[0]}\n" for item in items})


def made():
    """The files' names and lines."""
    return {f"{language}.txt": lines(reference.groups(language)) for language in reference.LANGUAGES}


def main(check):
    changes = []
    for name, new in made().items():
        path = API / name
        old = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
        changes += difflib.unified_diff(old, new, f"docs/api/{name}", "the sources", n=0)
        if not check:
            API.mkdir(exist_ok=True)
            path.write_text("".join(new), encoding="utf-8")
    if check and changes:
        sys.exit("".join(changes) + "The public interface is not as docs/api says. If it is meant to change: make api")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
