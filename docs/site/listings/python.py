"""The Python package, from its sources, which are not imported: `__all__` of each public module, signatures and docstrings."""

import ast

from .item import Group, Item, Missing, first_sentence, prose

MODULES = ["samplez", "samplez.dask", "samplez.dp", "samplez.dp.adapters", "samplez.lattice", "samplez.schemes", "samplez.schemes.bliss", "samplez.schemes.lp11", "samplez.schemes.regev", "samplez.stats"]
# What `samplez/__init__.py` offers though `__all__` has not: a name of Python's own, and the package's version.
BESIDES = {"samplez": ["round"]}


class Package:
    """The modules below a folder, parsed when they are asked for."""

    def __init__(self, folder):
        self.folder, self.trees = folder, {}

    def path(self, module):
        at = self.folder.joinpath(*module.split("."))
        for path in (at / "__init__.py", at.with_suffix(".py"), at.with_suffix(".pyi")):
            if path.is_file():
                return path
        return None

    def tree(self, module):
        if module not in self.trees:
            self.trees[module] = ast.parse(self.path(module).read_text(encoding="utf-8"))
        return self.trees[module]

    def definition(self, module, name):
        """The module and the node that define a name of a module; None if it is another package's."""
        found = None
        for node in self.tree(module).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
                found = module, node  # the last one: those before are overloads
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    found = module, node
            elif isinstance(node, ast.ImportFrom) and node.module and self.path(node.module):
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        submodule = f"{node.module}.{alias.name}"
                        found = (submodule, None) if self.path(submodule) else self.definition(node.module, alias.name)
        return found


def offered(tree):
    """The names of `__all__`, or all public functions and classes."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")]


def decorators(node):
    return [ast.unparse(decorator) for decorator in node.decorator_list]


def function(name, node, owned=False):
    """A function, a method or a property."""
    marks = decorators(node)
    arguments = _arguments(node, owned and "staticmethod" not in marks)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    if "property" in marks or "cached_property" in marks:
        signature = f"{node.name}: {ast.unparse(node.returns)}" if node.returns else node.name
    else:
        signature = f"{node.name}({ast.unparse(arguments)}){returns}"
    return Item(name, signature, prose(first_sentence(ast.get_docstring(node) or "")))


def _arguments(node, owned):
    """Arguments as they are shown: without `self` or `cls` if the function is owned."""
    copy = ast.parse(f"def f({ast.unparse(node.args)}): pass").body[0].args
    if owned:
        del (copy.posonlyargs or copy.args)[0]
    if "hides_unknown" in decorators(node):
        copy.vararg = copy.kwarg = None
    return copy


def members(package, module, node, name):
    """Public methods, properties and fields, those of its own first."""
    found = {}
    body = node.body
    for i, part in enumerate(body):
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("_") and not any(mark.endswith(".setter") for mark in decorators(part)):
            found[part.name] = function(f"{name}.{part.name}", part, owned=True)
        elif isinstance(part, ast.AnnAssign) and not part.target.id.startswith("_") and not ast.unparse(part.annotation).startswith("ClassVar"):
            after = body[i + 1] if i + 1 < len(body) else None
            said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
            about = prose(first_sentence(after.value.value)) if said else ""
            found[part.target.id] = Item(f"{name}.{part.target.id}", f"{part.target.id}: {ast.unparse(part.annotation)}", about)
    for base in node.bases:
        defined = package.definition(module, base.id) if isinstance(base, ast.Name) else None
        if defined and isinstance(defined[1], ast.ClassDef):
            for item in members(package, *defined, name):
                found.setdefault(item.name.rpartition(".")[2], item)
    return list(found.values())


def item(package, module, name):
    defined = package.definition(module, name)
    full = f"{module}.{name}"
    if defined is None:
        raise Missing(f"{full} is not defined")
    where, node = defined
    if node is None:  # a module
        return None
    if isinstance(node, ast.FunctionDef):
        made = function(full, node)
        made.signature = f"def {module}.{made.signature}"
    elif isinstance(node, ast.ClassDef):
        begin = next((part for part in node.body if isinstance(part, ast.FunctionDef) and part.name in ("__init__", "__new__")), None)
        private = begin is None or where.endswith("_samplez")
        bases = "" if not node.bases else f"({', '.join(ast.unparse(base) for base in node.bases)})"
        signature = f"class {full}{bases}" if private else f"class {full}({ast.unparse(_arguments(begin, True))})"
        made = Item(full, signature, prose(first_sentence(ast.get_docstring(node) or "")), members(package, where, node, full))
    else:
        made = Item(full, f"{full} = {ast.unparse(node.value)}", "")
    if not made.about and not isinstance(node, (ast.Assign, ast.AnnAssign)):
        raise Missing(f"{full} has no docstring")
    return made


def listing(folder):
    """The groups of the package whose folder lies in `folder`."""
    package, groups = Package(folder), []
    for module in MODULES:
        tree = package.tree(module)
        found = [item(package, module, name) for name in [*offered(tree), *BESIDES.get(module, [])]]
        groups.append(Group(module, prose(first_sentence(ast.get_docstring(tree) or "")), [each for each in found if each]))
    return groups
