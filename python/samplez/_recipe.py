"""A law, a method and options, as the texts that the library reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial, wraps
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

from samplez import _samplez
from samplez._numbers import Number, brief, decimal, exact_text, flag, hint, parsed, wrong


class Options(TypedDict, total=False):
    """The options besides law and method. ``None`` leaves one at its default.

    `memory`, `exact`, `constant_time`, `variable_time` and `setup_time` are constraints, which every method honours. The others shape the
    sampler, and a method that would ignore one refuses it.
    """

    precision: int | None
    """Precision of a table, in bits: a number between 1 and 256 bits."""
    memory: int | None
    """The maximum memory that a sample may read, in bytes: a whole number of bytes below 2^64, or with a unit: 4KB is 4000, 4KiB 4096."""
    rectangles: int | None
    """The number of rectangles: a number between 2 and 65536."""
    tail: Number | None
    """Where the support ends, in sigma; auto takes a longer one where the precision needs it: a number above 0."""
    omega: int | None
    """Bits of the vertical coordinate; 32 more than the precision if left out: a number between 1 and 512 bits."""
    distance: int | None
    """D: precision, tail and omega for a statistical distance of at most 2^-D: a number between 1 and 240 bits."""
    chord: bool | None
    """Decide by chords where possible."""
    pdf_table: bool | None
    """Store every density: more memory, less time."""
    frugal: bool | None
    """Draw bit by bit: fewer bits, more time, another stream."""
    exact: bool | None
    """Require exactly the ideal distribution, which auto otherwise only prefers."""
    constant_time: bool | None
    """Only methods of constant timing: no branch, index or address depends on a random bit."""
    variable_time: bool | None
    """Let auto choose methods whose running time reveals samples."""
    setup_time: Number | None
    """The maximum setup time, in seconds, as estimated: a number of seconds from 0 to 3.2e9."""


_FLAGS = frozenset(name for name, kind, *_ in _samplez.options() if kind == "flag")
_LAWS = frozenset(("laplace", "cbd", *(name for name, _ in _samplez.laws())))
_METHODS = ("auto", *(entry[0] for entry in _samplez.methods()))

_Function = TypeVar("_Function", bound=Callable[..., Any])
_COLLECTORS = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def _shown_with(function: _Function, named: list[inspect.Parameter]) -> _Function:
    """Sets a signature with these parameters in place of those that collect arguments."""
    signature = inspect.signature(function)
    kept = [parameter for parameter in signature.parameters.values() if parameter.kind not in _COLLECTORS]
    function.__signature__ = signature.replace(parameters=[*kept, *named])  # type: ignore[attr-defined]
    return function


def shows_options(function: _Function) -> _Function:
    """Names the options in the signature that `help` and completion read, in place of ``**options``."""
    named = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=getattr(kind, "__forward_arg__", kind))
        for name, kind in Options.__annotations__.items()
    ]
    return _shown_with(function, named)


_WAYS = {"dtype": "the integer type belongs to the call that draws"}
"""The ways out for words of Python, where no other is known."""
_ELSEWHERE = " belongs to the call that draws"
_FORMS = {"sigma_squared": "its square root", "k_sigma2": "the number times sqrt(1/(2 ln 2))", "s": "the number over sqrt(2π)"}
"""The other forms of a width, where σ alone is taken."""
SEED = dict.fromkeys(("rng", "generator"), "write seed for the seed")
"""The ways out where a seed alone is taken."""


def no_keyword(
    name: str, known: Collection[str], sensitivity: str = "", beside: tuple[str, Collection[str]] = ("", ()), ways: Mapping[str, str] = MappingProxyType({})
) -> TypeError:
    """The error for a keyword argument that does not exist, with the one that states the same. `sensitivity` is the quantity that an argument
    of this name has: ``l1_sensitivity`` or ``l2_sensitivity``. `beside` is a class that has other arguments, with their names, and `ways` has
    the way out for words of this function alone."""
    way = _samplez.way_out(name, [*known, *([sensitivity] if sensitivity else [])])
    other, names = beside
    if other and way == _samplez.way_out(name, []):
        found = _samplez.way_out(name, list(names))
        way = f"{other} takes {name}" if name in names else way if found == way else f"with {other}, {found}"
    way = ways.get(name, way) or _WAYS.get(name)
    if way and way.endswith(_ELSEWHERE) and "rng" in known:
        way = f"leave {name} out"
    if not way and name in _FORMS and "sigma" in known:
        way = f"write sigma for σ, which is {_FORMS[name]}"
    elif not way and {"size", "rng"} <= set(known) and "sigma" not in known and _samplez.way_out(name, ["sigma", "center"]):
        way = "the distribution states its centre and width, so leave it out"
    way = f"; {way.replace(sensitivity, 'sensitivity') if sensitivity else way}" if way else ""
    expected = f"expected one of {', '.join(known)}" if known else "none is expected"
    return TypeError(f"{name}: there is no such keyword argument; {expected}{way}")


def no_position(called: str, given: Sequence[object], places: Sequence[str], known: Sequence[str]) -> TypeError:
    """The error for arguments without a name beyond the `places` that take them. It shows a centre and a width, which have another order in
    SciPy, and no other values: these may be data or a seed."""
    if not known:
        return TypeError(f"{called}: expected no arguments; write {called}()")
    is_law = tuple(known[:2]) == ("sigma", "center") and len(given) == 2 and all(isinstance(value, (int, float, str)) for value in given)
    values = f"({', '.join(map(repr, given))})" if is_law else ""
    room = f"only {' and '.join(places)} without {'its name' if len(places) == 1 else 'their names'}" if places else "a name for each argument"
    example = ", ".join(f"{name}=..." for name in known[: max(len(places) + 1, 2)])
    order = "; SciPy's loc is center, and its scale is sigma" if {"sigma", "center"} <= set(known) else ""
    order = "; a shape is one tuple" if places == ("size",) else order
    return TypeError(f"{called}{values}: expected {room}; write {called}({example}){order}")


_OTHERS = {
    **dict.fromkeys(("rvs", "random", "draw", "generate"), "sample"),
    **dict.fromkeys(("pdf", "prob", "probability"), "pmf"),
    **dict.fromkeys(("quantile", "percentile", "icdf"), "ppf"),
    **dict.fromkeys(("loc", "mu", "centre"), "center"),
    "logpdf": "logpmf",
    "variance": "var",
    "stdev": "std",
    "scale": "sigma",
}
"""Names of other libraries, with those of the same quantities."""
_ELSEWHERE_NAMES = {
    "fit": "write samplez.stats.fit",
    "sample": "samplez.DiscreteGaussian and samplez.OtherNoise draw samples",
    **dict.fromkeys(("pmf", "logpmf", "cdf", "sf", "mean", "var", "std"), "samplez.DiscreteGaussian and samplez.TargetLaw have the functions of a distribution"),
}
"""What has a name that this class lacks."""


class Names:
    """Refuses attributes that do not exist with the one that states the same."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            known = _OTHERS.get(name, name)
            way = f"write {known}" if hasattr(type(self), known) and known != name else _ELSEWHERE_NAMES.get(known)
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'{'; ' + way if way else ''}", name=name, obj=self)


def hides_unknown(function: _Function) -> _Function:
    """Leaves ``*unnamed`` and ``**unknown`` out of the signature that `help` and completion read. The function passes these arguments to
    `no_position` and `no_keyword`."""
    return _shown_with(function, [])


def suggests(
    function: _Function, sensitivity: str = "", beside: tuple[str, Collection[str]] = ("", ()), ways: Mapping[str, str] = MappingProxyType({})
) -> _Function:
    """Refuses unknown keyword arguments with the way out, arguments that need a name and have none, and calls that lack one. The signature stays that of the function. `no_keyword`
    documents the other arguments."""
    parameters = inspect.signature(function).parameters
    owner, _, last = function.__qualname__.rpartition(".")
    first = next(iter(parameters), "")
    # The methods of `Functions` and `Law` are those of several classes.
    called = owner if last == "__init__" else last if owner in ("Functions", "Law") else function.__qualname__
    bound = 1 if first in ("self", "cls") else 0
    names = tuple(name for name, one in parameters.items() if one.kind not in _COLLECTORS)[bound:]
    places = tuple(name for name, one in parameters.items() if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD)[bound:]
    required = tuple((name, names.index(name) if name in places else len(names)) for name in names if parameters[name].default is inspect.Parameter.empty)
    known = frozenset(parameters) if all(one.kind not in _COLLECTORS for one in parameters.values()) else None
    most, unknown, unnamed = bound + len(places), partial(no_keyword, sensitivity=sensitivity, beside=beside, ways=ways), no_position

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > most:
            raise unnamed(called, args[bound:], places, names)
        if known is not None:
            for name in kwargs:
                if name not in known:
                    raise unknown(name, names)
        for name, place in required:
            if name not in kwargs and place >= len(args) - bound:
                raise TypeError(f"missing {name}: write {called}({', '.join(f'{one}=...' for one, _ in required)})")
        return function(*args, **kwargs)

    # With the globals of the function's module, where doctest looks for examples.
    own = FunctionType(call.__code__, cast(Any, function).__globals__, closure=call.__closure__)
    return cast(_Function, wraps(function)(own))


def recipe_text(law: Mapping[str, object], options: Mapping[str, object]) -> str:
    """The recipe of these names and values, without those that are ``None``. Raises `TypeError` for an option that does
    not exist. The library refuses all other errors."""
    unknown = sorted(options.keys() - Options.__annotations__.keys())
    if unknown:
        known = (*law, *Options.__annotations__)
        raise no_keyword(unknown[0], known)
    method = law.get("method")
    if isinstance(method, str) and method.strip() not in _METHODS:
        names = ", ".join(_METHODS)
        raise wrong("method", method, f"one of {names}{hint(method, _METHODS)}")
    pairs = []
    for name, value in (*law.items(), *options.items()):
        if name in _FLAGS and value is not None:
            flag(name, value)
            pairs.append((name, str(value).lower()))
        elif value is not None:
            pairs.append((name, exact_text(name, value)))
    try:
        return _samplez.recipe(pairs)
    except ValueError as refused:
        error = as_typed(refused, {**law, **options})
        if kind_of(error) == "not-a-number" and (owner := _owner(str(vars(error)["value"]))):
            raise retold(error, reason=f"{vars(error)['reason']}; {owner}.from_recipe takes a recipe") from None
        if kind_of(error) == "too-long":
            try:
                _samplez.BigGaussian([pair for pair in pairs if pair[0] in law and pair[0] != "method"])
            except ValueError as other:
                raise other from None
            raise retold(error, reason=f"{vars(error)['reason']}; {BIG}") from None
        raise error from None


def _owner(text: str) -> str | None:
    """The class that reads a recipe; `None` for a text that begins as no recipe does."""
    name = text.partition("=")[0].strip()
    if name in ("sigma", "sigma_squared", "k_sigma2", "s"):
        return "samplez.DiscreteGaussian"
    return "samplez.OtherNoise" if name in _LAWS else None


def kind_of(error: ValueError) -> str | None:
    """The kind of the library's refusal; `None` for another error."""
    return vars(error).get("kind")


def retold(refused: ValueError, **parts: object) -> ValueError:
    """The library's refusal with another ``argument``, ``value`` or ``reason``."""
    said = vars(refused)
    said.update(parts)
    value = str(said["value"])
    refused.args = (f"{said['argument']} = {value if len(value) <= 80 else brief(value)}: {said['reason']}",)
    return refused


def as_typed(error: ValueError, given: Mapping[str, object]) -> ValueError:
    """The error with the value as the caller wrote it, if it is the library's refusal of one of these arguments: 3.2 instead of 16/5."""
    name, value = (vars(error).get(part, "") for part in ("argument", "value"))
    typed = given.get(name)
    try:
        is_it = str(typed).lower() == value if name in _FLAGS else parsed(exact_text(name, typed)) == parsed(value)
    except (TypeError, ValueError, ZeroDivisionError):
        return error
    return retold(error, value=typed) if is_it else error


def arguments(recipe: str) -> str:
    """The keyword arguments that make this recipe, as Python writes them.

    >>> from samplez._recipe import arguments
    >>> arguments("sigma=16/5,center=-1/3,method=cdt,precision=72,exact=true")
    "sigma='3.2', center='-1/3', method='cdt', precision=72, exact=True"
    """

    def written(value: str) -> str:
        if value in ("true", "false"):
            return value.capitalize()
        return value if value.lstrip("-").isdigit() else repr(decimal(value))

    pairs = (pair.partition("=") for pair in recipe.split(","))
    return ", ".join(f"{name}={written(value)}" for name, _, value in pairs)


BIG = "samplez.BigGaussian takes numbers of this size"
"""The way out for a law that only `BigGaussian` takes."""


def is_big(pairs: list[tuple[str, str]]) -> bool:
    """Whether `BigGaussian` has the law of these names and values."""
    try:
        _samplez.BigGaussian(pairs)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=32)
def build(recipe: str) -> _samplez.Sampler:
    """A sampler is immutable, and may take a while to build: equal ones are built once a process."""
    return _samplez.Sampler(recipe)
