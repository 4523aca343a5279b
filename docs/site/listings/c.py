"""The C interface, from its header: every declaration with the comment above it."""

import re

from .item import Group, Item, Missing, first_sentence, prose

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
# A comment and what it is about: a function or a type.
DECLARED = re.compile(r"/\*((?:(?!\*/).)*)\*/\s*((?:typedef\s+(?:enum|struct)\s+\w+\s*\{.*?\}\s*\w+|[^;{}/#]*?);)", re.DOTALL)
FIELD = re.compile(r"/\*((?:(?!\*/).)*)\*/\s*([^,;{}/]+?)\s*[,;]", re.DOTALL)
DEFINE = re.compile(r"^#define (SAMPLEZ_\w+) (.+)$", re.MULTILINE)


def clean(comment):
    return "\n".join(line.strip().removeprefix("*").strip() for line in comment.strip().splitlines())


def name_of(declaration):
    if declaration.startswith("typedef"):
        return re.search(r"(\w+)\s*;$", declaration)[1]
    return re.search(r"(\w+)\s*\(", declaration)[1]


def declared(comment, declaration):
    name = name_of(declaration)
    fields = []
    if "{" in declaration:
        body = declaration[declaration.index("{") + 1 : declaration.rindex("}")]
        for said, text in FIELD.findall(body):
            field = re.search(r"(\w+)(\s*=.*)?$", text)[1]
            own = field if "enum" in declaration.split("{")[0] else f"{name}.{field}"
            fields.append(Item(own, " ".join(text.split()), prose(first_sentence(clean(said)))))
        declaration = f"{declaration[: declaration.index('{')].strip()} {{ … }} {name};"
    lines = [line.rstrip() for line in declaration.splitlines()]
    return Item(name, re.sub(r"\s+", " ", " ".join(lines)), prose(first_sentence(clean(comment))), fields)


def listing(text):
    """The groups of a header."""
    about = COMMENT.search(text)
    rest = text[about.end() :]
    found = [declared(*match.groups()) for match in DECLARED.finditer(rest)]
    missing = set(re.findall(r"\bsamplez_\w+(?=\()", COMMENT.sub("", rest))) - {item.name for item in found}
    if missing:
        raise Missing(f"no comment above {', '.join(sorted(missing))}")
    types = [item for item in found if item.signature.startswith("typedef")]
    functions = [item for item in found if not item.signature.startswith("typedef")]
    macros = [Item(name, f"#define {name} {value}", "") for name, value in DEFINE.findall(text) if name.startswith("SAMPLEZ_VERSION")]
    paragraphs = [paragraph for paragraph in clean(about[1]).split("\n\n") if paragraph.startswith("Every function")]
    return [
        Group("Functions", prose(" ".join(paragraphs[0].split())) if paragraphs else "", functions),
        Group("Types", "", types),
        Group("Macros", "", macros),
    ]
