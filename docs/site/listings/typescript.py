"""The npm package, from its sources: what the entries export, with signatures and doc comments."""

import re

from .item import Group, Item, Missing, first_sentence, prose

ENTRIES = {"samplez": "index.ts", "samplez/core": "core/index.ts", "samplez/core/table": "core/table.ts", "samplez/schemes": "schemes/index.ts"}
EXPORT = re.compile(r"^export (?:type )?\{(.*?)\} from \"(.*?)\";", re.MULTILINE | re.DOTALL)
DECLARED = re.compile(r"(?P<doc>/\*\*(?:(?!\*/).)*\*/\s*)?^export (?P<kind>(?:abstract )?(?:async )?(?:class|interface|type|const|function)) (?P<name>\w+)", re.MULTILINE | re.DOTALL)
# A member: its comment, and its name at the start of a line.
MEMBER = re.compile(r"(?P<doc>/\*\*(?:(?!\*/).)*\*/\s*)?^(?P<indent> +)(?P<text>(?:(?:static|readonly|async|get|abstract|override|private|protected) )*(?P<name>\[?[\w.]+\]?)\??(?=[(:<]))", re.MULTILINE | re.DOTALL)
OPEN, CLOSE = "([{", ")]}"


def clean(comment):
    lines = (comment or "").strip().removeprefix("/**").removesuffix("*/").splitlines()
    return "\n".join(line.strip().removeprefix("*").strip() for line in lines)


def closing(text, at):
    """The place of the bracket that closes the one at `at`; strings and comments are passed over."""
    depth = 0
    while at < len(text):
        c = text[at]
        if text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        if text.startswith("//", at):
            at = text.index("\n", at)
            continue
        if c in "\"'`":
            at = text.index(c, at + 1) + 1
            continue
        depth += (c in OPEN) - (c in CLOSE)
        if depth == 0:
            return at
        at += 1
    raise ValueError("nothing closes the bracket")


def signature(text, at):
    """The declaration that begins at `at`, up to its body, its initial value or its semicolon; and where that is."""
    start = at
    typed = False  # whether a type is due, whose brace is none of a body
    while at < len(text):
        c = text[at]
        if text.startswith("=>", at):
            at, typed = at + 2, True
            continue
        if c in ";=" or (c == "{" and not typed):
            break
        if c == "<" and not typed:  # parameters that are types, perhaps with defaults
            at = text.index(">", at) + 1
            continue
        if c in OPEN:
            at = closing(text, at)
        typed = c in ":|&<," or (typed and c.isspace())
        at += 1
    return " ".join(text[start:at].split()), at


def uncommented(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def members(text, name):
    """The public members of a class or an interface, whose body is `text`."""
    found = {}
    at = 0
    indent = None
    while (match := MEMBER.search(text, at)) is not None:
        indent = indent or match["indent"]
        member = match["name"]
        said, at = signature(text, match.start("text"))
        at = closing(text, at) + 1 if text[at : at + 1] == "{" else at + 1
        is_hidden = match["text"].startswith(("private ", "protected "))
        if match["indent"] != indent or is_hidden or member == "constructor" or member.startswith("["):
            continue
        said = uncommented(said)
        item = Item(f"{name}.{member}", said, prose(first_sentence(clean(match["doc"]))))
        if member not in found or item.about:
            found[member] = item
    return list(found.values())


def declared(path, name):
    """The item of a name that a file declares, and the class that it extends."""
    text = path.read_text(encoding="utf-8")
    for match in DECLARED.finditer(text):
        if match["name"] != name:
            continue
        kind = match["kind"]
        about = prose(first_sentence(clean(match["doc"])))
        at = match.start("kind")
        if kind.endswith("type"):
            end = re.compile(r";\s*\n(?!\s)").search(text, at).start()
            body = text[at:end]
            where = body.find("{\n")
            own = members(body[where + 1 :], name) if where >= 0 else []
            shown = uncommented(body if where < 0 else body[:where] + "{ … }")
            return Item(name, " ".join(shown.split()), about, own), None
        said, at = signature(text, at)
        extends = re.search(r" extends (\w+)", said)
        if "class" in kind or kind == "interface":
            body = text[at : closing(text, at) + 1]
            return Item(name, said, about, members(body[1:], name)), extends and extends[1]
        return Item(name, said, about), None
    return None, None


def source(path, target):
    return (path.parent / target).with_suffix(".ts").resolve()


def imported(path, name):
    """The file from which a file has a name."""
    text = path.read_text(encoding="utf-8")
    for names, target in re.findall(r"import (?:type )?\{(.*?)\} from \"(\..*?)\"", text, re.DOTALL):
        if name in re.findall(r"\w+", names):
            return source(path, target)
    return path


def complete(path, name):
    """An item with the members of what it extends."""
    item, extends = declared(path, name)
    if item and extends:
        base = complete(imported(path, extends), extends)
        own = {member.name.rpartition(".")[2] for member in item.members}
        for member in base.members if base else []:
            last = member.name.rpartition(".")[2]
            if last not in own:
                item.members.append(Item(f"{name}.{last}", member.signature, member.about))
    return item


def listing(folder):
    """The groups of the package whose sources lie in `folder`."""
    groups = []
    for title, entry in ENTRIES.items():
        path = folder / entry
        items = []
        for names, target in EXPORT.findall(path.read_text(encoding="utf-8")):
            for name in re.findall(r"(\w+)\s*(?:,|$)", names.strip()):
                item = complete(source(path, target), name)
                if item is None:
                    raise Missing(f"{target} does not declare {name}")
                if not item.about:
                    raise Missing(f"{target}: {name} has no comment")
                items.append(item)
        groups.append(Group(title, f'<code>import {{ … }} from "{title}"</code>', items))
    return groups
