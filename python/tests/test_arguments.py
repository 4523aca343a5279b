"""What a user may get wrong, and what they read then."""

import ast
import copy
import inspect
import json
import math
import os
import pickle
import pydoc
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import samplez
import samplez.dp
from samplez import _html, _samplez, lattice, stats
from samplez._certificate import Support
from samplez.schemes import regev

G = samplez.DiscreteGaussian("3.2")
OPTIONS = _samplez.options()
FLAGS = [name for name, kind, *_ in OPTIONS if kind == "flag"]


def test_numbers_are_what_was_written() -> None:
    law = "D_Z(sigma = 16/5, center = 0)"
    for sigma in ("3.2", "16/5", Fraction(16, 5), Decimal("3.2"), 3.2, np.float64(3.2), np.float32(3.2), np.float16(3.2)):
        assert samplez.DiscreteGaussian(sigma).certificate().law == law
    for double in (Fraction(3.2), Decimal(3.2)):
        assert "3602879701896397/1125899906842624" in samplez.DiscreteGaussian(double).certificate().law
    for large in (1e12, np.float32(1e12), "1e12", 10**12):
        assert "sigma = 1000000000000," in samplez.DiscreteGaussian(large).certificate().law
    assert samplez.DiscreteGaussian(3, center=-1e-7).certificate().law == "D_Z(sigma = 3, center = -1/10000000)"
    assert samplez.DiscreteGaussian(np.int32(4), center=np.int8(-3)).certificate().law == "D_Z(sigma = 4, center = -3)"
    assert "sigma^2 = 256/25" in samplez.DiscreteGaussian(sigma_squared="10.24").certificate().law
    assert samplez.DiscreteGaussian(k_sigma2=254).sigma == pytest.approx(215.7277, rel=1e-6)
    assert samplez.DiscreteGaussian(s="8.35").sigma == pytest.approx(8.35 / (2 * np.pi) ** 0.5)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({}, ValueError, "missing width: pass one of sigma, sigma_squared, k_sigma2, s"),
        ({"sigma": 3, "s": 8}, ValueError, "s = 8: sigma is given too; pass only one of them"),
        ({"sigma": float("nan")}, ValueError, "sigma = nan: expected a finite number"),
        ({"sigma": float("inf")}, ValueError, "sigma = inf"),
        ({"sigma": Decimal("NaN")}, ValueError, "sigma = NaN"),
        ({"sigma": True}, TypeError, "not bool"),
        ({"sigma": [3]}, TypeError, "not list"),
        ({"sigma": 3 + 0j}, TypeError, "not complex"),
        ({"sigma": "abc"}, ValueError, "sigma = abc: not a number"),
        ({"sigma": 0}, ValueError, "sigma = 0"),
        ({"sigma": -1}, ValueError, "sigma = -1"),
        ({"sigma": 10**40}, ValueError, "sigma = 10000"),
        ({"sigma": 1e-300}, ValueError, "sigma = 1e-300: expected at least 2"),
        ({"sigma": 10**5000}, ValueError, "sigma: has too many digits"),
        ({"sigma": "3,method=dice"}, ValueError, "sigma = 3,method=dice: not a number"),
        ({"sigma": "\ud800"}, ValueError, "sigma: has half a surrogate pair"),
        ({"sigma": 3, "center": []}, TypeError, "center = ..: expected one number, not list; samplez.sample takes arrays"),
        ({"sigma": 3, "method": "dice"}, ValueError, "method = dice: expected one of "),
        ({"sigma": 3, "method": 3}, TypeError, "method = 3: expected a str"),
        ({"sigma": 3, "precision": 0, "method": "cdt"}, ValueError, "precision = 0: expected a number between 1 and 256"),
        ({"sigma": 3, "precision": 0}, ValueError, "precision = 0: expected a number between 1 and 256"),
        ({"sigma": 3, "precision": 257, "method": "auto"}, ValueError, "precision = 257: expected a number between 1 and 256"),
        ({"sigma": 3, "precision": 2.5}, ValueError, "precision = 2.5: expected a whole number between"),
        ({"sigma": 3, "precision": True}, TypeError, "precision = True: expected a number"),
        ({"sigma": 3, "memory": -1}, ValueError, "memory = -1: expected a whole number of bytes"),
        ({"sigma": 3, "setup_time": -1}, ValueError, "setup_time = -1: expected a number of seconds"),
        ({"sigma": 3, "exact": 1}, TypeError, "exact = 1: expected True or False, not int"),
        *(({"sigma": 3, name: "true"}, TypeError, f"{name} = true: expected True or False, not str") for name in FLAGS),
        ({"sigma": "0,5"}, ValueError, "3.2, 16/5 or 1.6e5; write 0.5"),
        ({"sigma": "8/sqrt(2*pi)"}, ValueError, "; write 8 for s"),
        ({"sigma": 3, "setup_time": "1ms"}, ValueError, "setup_time = 1ms: expected a number of seconds from 0 to 3.2e9; write 1e-3"),
        ({"sigma": 3, "tail": 0}, ValueError, "tail = 0: expected"),
        ({"sigma": 3, "distance": 100, "tail": 9}, ValueError, "tail = 9: distance sets it; remove one of them"),
        ({"sigma": 3, "method": "ziggurat", "omega": 64}, ValueError, "omega = 64: expected a number between 128 and 512"),
        ({"sigma": 3, "distance": 2**-100}, ValueError, "distance = 7.88"),
        ({"sigma": 3, "method": "karney", "precision": 72}, ValueError, "precision = 72: karney is exact and has none"),
        ({"sigma": 3, "method": "karney", "rectangles": 72}, ValueError, "rectangles = 72: "),
        ({"sigma": 3, "max_table_bytes": 72}, TypeError, "max_table_bytes: there is no such keyword argument; expected one of sigma"),
        ({"sigma": 3, "colour": "red"}, TypeError, "colour: there is no such keyword argument; expected one of sigma"),
        ({"sigma": "1e12", "method": "cdt"}, ValueError, "sigma = 1e12: "),
        ({"sigma": 3.2, "method": "du-wei-4"}, ValueError, "sigma = 3.2: method du-wei-4 allows"),
        ({"sigma": "-3.2"}, ValueError, "sigma = -3.2: expected a number greater than 0"),
        ({"sigma": 3, "method": "CDT"}, ValueError, "did you mean cdt"),
        ({"sigma": "215", "method": "convolution", "exact": True}, ValueError, "exact = True: convolution is certified, not exact"),
    ],
)
def test_bad_laws(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text.replace("(", r"\(")):
        samplez.DiscreteGaussian(**arguments)


def test_a_refusal_has_its_kind() -> None:
    for recipe, kind, argument, value in (
        ("sigma=3,center=1e-30", "too-long", "center", "1e-30"),
        ("sigma=-1", "out-of-range", "sigma", "-1"),
        ("sigma=3,memory=1", "no-method", "method", "auto"),
        ("sigma=3,colour=red", "unknown", "colour", "red"),
        ("sigma=3,precision=72,method=karney", "unsupported", "precision", "72"),
    ):
        with pytest.raises(ValueError) as refused:
            samplez.DiscreteGaussian.from_recipe(recipe)
        said = vars(refused.value)
        assert (said["kind"], said["argument"], said["value"]) == (kind, argument, value)
        assert str(refused.value).endswith(said["reason"])



@pytest.mark.parametrize(
    ("recipe", "error", "text"),
    [
        ("", ValueError, "missing recipe: pass pairs such as"),
        (" ", ValueError, "missing recipe"),
        ("3.2", ValueError, "recipe = 3.2: expected name=value, such as sigma=3.2"),
        ("sigma=3.2,", ValueError, "recipe = sigma=3.2,: expected pairs such as sigma=3.2; leave the surplus comma out"),
        ("sigma=3.2,sigma=3.2", ValueError, "sigma = 3.2: is given twice; pass it once"),
        ("laplace=4 + sigma=3", ValueError, "recipe = laplace=4 [+] sigma=3: no sampler draws a sum, a table of weights or a rounded law; draw each term"),
        ("2*ternary", ValueError, "recipe = 2[*]ternary: no sampler draws a sum"),
        ("sigma=1e30", ValueError, "sigma = 1e30: not representable exactly: .*; samplez.BigGaussian takes numbers of this size"),
        ("sigma=3,precision=72&precision=72", ValueError, "precision = 72: is given twice"),
        ("sigma=3.2,s=8", ValueError, "s = 8: sigma is given too; pass only one of them"),
        ("sigma=3.2,colour=red", ValueError, "colour = red: expected one of sigma"),
        ("precision=72", ValueError, "missing width"),
        ("sigma=" + "3" * 4096, ValueError, "recipe = a text of 4102 bytes: a recipe has at most 4096"),
        ("sigma=\ud800", ValueError, "recipe: has half a surrogate pair"),
        (b"sigma=3.2", TypeError, "recipe: expected a str, not bytes"),
        (None, TypeError, "recipe = None: expected a str, not NoneType"),
    ],
)
def test_bad_recipes(recipe: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        samplez.DiscreteGaussian.from_recipe(recipe)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"size": -1}, ValueError, "size = -1"),
        ({"size": 2.0}, TypeError, "size = 2.0: expected an integer, not float"),
        ({"size": "3"}, TypeError, "size = .*: expected an integer"),
        ({"size": (2**62, 2**62)}, ValueError, "expected at most 2.63 - 1 bytes, with int64"),
        ({"size": 2**62}, ValueError, "size = 4611686018427387904: expected at most 2.63 - 1 bytes, with int64"),
        ({"size": 2**50, "dtype": "int8"}, MemoryError, "size = 1125899906842624: 1125899906842624 integers as int8 need"),
        ({"size": [2, -3]}, ValueError, "size = -3"),
        ({"size": 3, "dtype": "abc"}, TypeError, "dtype = abc: expected int8"),
        ({"size": 3, "dtype": "i16"}, TypeError, "dtype = i16: expected int8, int16, int32 or int64; write int16"),
        ({"size": 3, "progress": 5}, TypeError, "progress = 5: expected a callable, not int"),
        ({"size": 3, "dtype": "float64"}, TypeError, "dtype = float64: expected int8"),
        ({"size": 3, "dtype": "uint8"}, TypeError, "dtype = uint8"),
        ({"size": 3, "dtype": ">i4"}, TypeError, "byte order"),
        ({"size": 3, "rng": -1}, ValueError, "rng = -1: expected a value between 0 and 2"),
        ({"size": 3, "rng": 2**64}, ValueError, "rng: expected a value between 0 and 2.64 - 1; a longer seed is 32 bytes"),
        ({"size": 3, "rng": 2**300}, ValueError, "rng: expected a value .* or a str of 64 hexadecimal digits"),
        ({"size": 3, "rng": "abc"}, ValueError, "rng: a seed is 64 hexadecimal digits"),
        ({"size": 3, "rng": ""}, ValueError, "rng: a seed is 64 hexadecimal digits"),
        ({"size": 3, "rng": "\ud800"}, ValueError, "rng: has half a surrogate pair"),
        ({"size": 3, "rng": "-1"}, ValueError, "rng: a seed is 64 hexadecimal digits"),
        ({"size": 3, "rng": "x" * 64}, ValueError, "rng: .* character 1 of 64 is no hexadecimal digit"),
        ({"size": 3, "rng": 1, "source": "os"}, ValueError, "rng: expected no seed, because source = os takes none"),
        ({"size": 3, "rng": b"short"}, ValueError, "rng: has 5 bytes: expected 32"),
        ({"size": 3, "rng": True}, TypeError, "rng = True: expected an integer, not bool"),
        ({"size": 3, "rng": 1.5}, TypeError, "rng = 1.5: expected None, a seed .32 bytes, a str, an int or a SeedSequence."),
        ({"size": 3, "rng": np.random}, TypeError, "not module"),
        ({"size": 3, "source": "dice"}, ValueError, "source = dice: expected one of chacha20"),
        ({"size": 3, "source": 5}, TypeError, "source = 5: expected a str, not int"),
        ({"size": 3, "threads": 0}, ValueError, "threads = 0: expected a value between 1"),
        ({"size": 3, "first": -1}, ValueError, "first = -1"),
        ({"size": 3, "first": 2**64 - 2, "rng": 1}, ValueError, "first = 18446744073709551614: expected at most 18446744073709551613 with 3 samples"),
        ({"size": 3, "rng": np.random.default_rng(1), "threads": 2}, ValueError, "threads = 2: expected 1, because rng is a stream, .*; leave threads out, or pass a seed as rng$"),
        ({"size": 3, "rng": samplez.Source(), "first": 2}, ValueError, "first = 2: expected 0, because rng is a stream"),
        ({"out": [1, 2]}, TypeError, "out: expected a numpy.ndarray, not list"),
        ({"out": np.zeros(3)}, TypeError, "out.dtype = float64: expected int8"),
        ({"out": np.zeros(3, "uint16")}, TypeError, "out.dtype = uint16: expected int8"),
        ({"out": np.zeros(3, ">i4")}, TypeError, "byte order"),
        ({"out": np.zeros(3, "int8"), "dtype": "int16"}, TypeError, "dtype = int16: expected int8, as out has; leave dtype out"),
        ({"out": np.zeros((4, 4), "int8").T[1:]}, ValueError, "out: expected an array that is C-contiguous"),
        ({"out": np.zeros(8, "int8")[::2]}, ValueError, "out: expected an array that is C-contiguous"),
        ({"out": np.zeros(9, "int8")[1:].view("int64")}, ValueError, "aligned"),
        ({"out": np.zeros(3, "int8"), "size": 4}, ValueError, "size = 4: expected the shape of out, .3,.; leave size out"),
        ({"out": np.broadcast_to(np.int8(0), 3)}, ValueError, "out: "),
    ],
)
def test_bad_draws(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        G.sample(**arguments)


def test_a_read_only_array_is_refused() -> None:
    out = np.zeros(3, "int8")
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        G.sample(out=out)


def test_narrow_types_are_refused() -> None:
    wide = samplez.DiscreteGaussian(1000)
    for rng in (1, samplez.Source(seed=1), np.random.default_rng(1)):
        with pytest.raises(ValueError, match="^dtype = int8: the samples range from -"):
            wide.sample(1000, rng=rng, dtype="int8")
    assert wide.sample(1000, rng=1, dtype="int16").std() > 900


def test_bad_sources() -> None:
    with pytest.raises(ValueError, match="source = dice"):
        samplez.Source("dice")
    for make in (samplez.Source, samplez.BitGenerator):
        with pytest.raises(TypeError, match="source = 5: expected a str, not int"):
            make(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="source = os takes none"):
        samplez.Source("os", seed=1)
    with pytest.raises(ValueError, match="source = os: it can fail"):
        samplez.BitGenerator("os")
    bad: Any
    for make in (samplez.Source, samplez.BitGenerator):
        with pytest.raises(ValueError, match="seed = -1"):
            make(seed=-1)
        for bad in (2**64, 2**300, "abc", b"abc"):
            with pytest.raises(ValueError, match="^seed: "):
                make(seed=bad)
        for bad in (1.5, True, []):
            with pytest.raises(TypeError, match="^seed"):
                make(seed=bad)


def test_sizes_and_out() -> None:
    assert isinstance(G.sample(), int) and isinstance(G.sample(rng=1), int)
    assert G.sample(0).shape == (0,) and G.sample(()).shape == () and G.sample((2, 0, 3)).shape == (2, 0, 3)
    assert G.sample((2, 3)).dtype == np.int64 and G.sample([2, 3]).shape == (2, 3)
    out = np.zeros((4, 5), "int32")
    assert G.sample(out=out, rng=1) is out
    assert np.array_equal(out, G.sample((4, 5), rng=1))
    part = np.zeros((10, 5), "int16")
    G.sample(out=part[2:6], rng=1)
    assert np.array_equal(part[2:6], out) and not part[6:].any() and not part[:2].any()


def test_progress_and_interruption() -> None:
    seen: list[tuple[int, int]] = []
    G.sample(3_000_000, rng=1, dtype="int8", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1 << 20, 3_000_000), (1 << 21, 3_000_000), (3_000_000, 3_000_000)]
    seen.clear()
    many = G.sample(5_000_000, rng=1, dtype="int8", threads=2, progress=lambda done, total: seen.append((done, total)))
    assert np.array_equal(many, G.sample(5_000_000, rng=1, dtype="int8", threads=1))
    assert seen == sorted(seen) and len(seen) <= 3 and seen[-1] == (5_000_000, 5_000_000)

    seen.clear()
    G.sample(3_000_000, rng=np.random.default_rng(1), dtype="int8", progress=lambda done, total: seen.append((done, total)))
    assert len(seen) > 1 and seen == sorted(seen) and seen[-1] == (3_000_000, 3_000_000)

    def broken(done: int, total: int) -> None:
        raise LookupError(f"{done} of {total}")

    with pytest.raises(LookupError, match=r"1048576 of 3000000"):
        G.sample(3_000_000, rng=1, dtype="int8", threads=1, progress=broken)
    slow = samplez.DiscreteGaussian("3.2", method="rejection")
    main, package = threading.get_ident(), os.path.dirname(samplez.__file__)

    def interrupt() -> None:
        """Once the main thread samples, which takes it minutes."""
        while not sys._current_frames()[main].f_code.co_filename.startswith(package):
            time.sleep(0.01)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    interrupter = threading.Thread(target=interrupt)
    # A shell that starts this in the background has the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        interrupter.start()
        slow.sample(200_000_000, rng=1, dtype="int8")
    interrupter.join()
    signal.signal(signal.SIGINT, before)


def test_a_law_is_what_it_is_not_how_it_was_written() -> None:
    for same in ("16/5", Fraction(16, 5), "3.20", Decimal("3.2"), 3.2):
        assert samplez.DiscreteGaussian(same) == G and hash(samplez.DiscreteGaussian(same)) == hash(G)
    square = samplez.DiscreteGaussian(sigma_squared="10.24")
    assert square == G and hash(square) == hash(G) and repr(square) != repr(G)
    for other in (Fraction(3.2), "3.21"):
        assert samplez.DiscreteGaussian(other) != G
    assert samplez.DiscreteGaussian("3.2", method="auto", center=0, precision=None) == G != "sigma=16/5"
    assert samplez.DiscreteGaussian("3.2", method="karney") != G and samplez.DiscreteGaussian("3.2", precision=72) != G
    with pytest.raises(AttributeError):
        G.colour = "red"  # type: ignore[attr-defined]


def test_plans_and_lists() -> None:
    plan = samplez.plan("32", memory=2080, variable_time=True, exact=False)
    assert plan.method == "ziggurat" and plan.certificate.table_bytes <= 2080 and plan.refused["cks"]
    rebuilt = samplez.DiscreteGaussian.from_recipe(plan.recipe)
    assert rebuilt.certificate() == plan.certificate and rebuilt.method == plan.method
    with pytest.raises(ValueError, match="no method for"):
        samplez.plan(sigma="1e15", exact=True, constant_time=True)
    with pytest.raises(TypeError, match="method: there is no such keyword argument"):
        samplez.plan(3, method="karney")  # type: ignore[call-arg]
    assert {"karney", "cks"} <= {method.name for method in samplez.methods() if method.exact}


def test_options_are_the_library_s() -> None:
    """Those that a type checker sees are the library's, by name and by kind."""
    types = {"flag": "bool | None", "whole": "int | None", "rational": "Number | None", "seconds": "Number | None"}
    seen = {name: getattr(kind, "__forward_arg__", kind) for name, kind in samplez.Options.__annotations__.items()}
    assert seen == {name: types[kind] for name, kind, *_ in OPTIONS} and list(seen) == [option[0] for option in OPTIONS]
    # So are the words.
    node = next(node for node in ast.parse(inspect.getsource(samplez.Options)).body if isinstance(node, ast.ClassDef))
    told = [part.value.value for part in node.body[1:] if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)]
    words = [summary if kind == "flag" else f"{summary}: {allowed}" for _, kind, allowed, summary, _ in OPTIONS]
    assert told == [f"{text[0].upper()}{text[1:]}." for text in words]
    constraints = re.findall("`([a-z_]+)`", (samplez.Options.__doc__ or "").partition(" are constraints")[0])
    assert constraints == [name for name, _, _, _, is_constraint in OPTIONS if is_constraint]
    # The ignored errors are a type checker's, which would complain if there were none.
    with pytest.raises(TypeError, match="colour: there is no such keyword argument; expected one of sigma"):
        samplez.DiscreteGaussian(3, colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="frugal = 1.0: expected True or False, not float"):
        samplez.plan(3, frugal=1.0)  # type: ignore[arg-type]


def test_certificates() -> None:
    certificate = samplez.DiscreteGaussian("3.2", center="1/3", method="cdt", precision=72).certificate()
    fields = json.loads(certificate.to_json())
    shown = asdict(certificate)
    assert (fields.pop("width"), fields.pop("center")) == ({"form": "sigma", "value": "16/5"}, "1/3")
    assert set(shown) == {*fields, "_text", "_json"}
    for name, value in fields.items():
        own = getattr(certificate, name)
        assert (own._asdict() if isinstance(own, Support) else own) == value, name
    assert certificate.precision == 72 and certificate.log2_sd is not None and -80 < certificate.log2_sd < -60
    assert certificate.options["precision"] == 72
    assert "statistical distance" in str(certificate) and "72 bits" in str(certificate)
    assert pickle.loads(pickle.dumps(certificate)) == certificate
    by_table = samplez.DiscreteGaussian("3.2", method="cdt", exact=True).certificate()
    assert by_table.exact and by_table.log2_sd is None and by_table.precision == 128 and by_table.support == (-42, 42)
    exact = samplez.DiscreteGaussian("3.2", method="karney").certificate()
    assert exact.exact and exact.log2_sd is None and exact.log2_renyi["2"] is None and exact.precision is None
    assert exact.support == (-(2**63), 2**63 - 1)


def test_the_default_is_exact_and_not_of_variable_time() -> None:
    for sigma in ("0.5", "3.2", "20", "215", "1e5", "1e9"):
        certificate = samplez.DiscreteGaussian(sigma).certificate()
        assert certificate.exact and certificate.timing in ("constant", "isochronous"), (sigma, certificate)


@pytest.mark.parametrize(
    "recipe",
    [
        "sigma=16/5",
        "s=167/20,center=1/3,precision=72,setup_time=0.5",
        "k_sigma2=254,method=cdt-guided,memory=1048576",
        "sigma_squared=256/25,exact=true",
        "sigma=1000,method=ziggurat,rectangles=64,tail=25/2,omega=200,chord=false,pdf_table=true",
        "sigma=10,method=ziggurat,distance=100",
    ],
)
def test_recipes_come_back(recipe: str) -> None:
    g = samplez.DiscreteGaussian.from_recipe(recipe)
    built = samplez.DiscreteGaussian.from_recipe(g.recipe)
    assert g._sampler.said == recipe and built.recipe == built._sampler.said == g.recipe
    assert built.method == g.method and np.array_equal(built.sample(1000, rng=1), g.sample(1000, rng=1))
    for again in (pickle.loads(pickle.dumps(g)), copy.deepcopy(g), samplez.DiscreteGaussian.from_recipe(recipe)):
        assert again == g and hash(again) == hash(g) and repr(again) == repr(g)


def test_a_recipe_is_what_the_keywords_say() -> None:
    said = samplez.DiscreteGaussian(
        1000, method="ziggurat", rectangles=64, tail=12.5, chord=False, pdf_table=np.bool_(True), memory=np.uint32(10**6)  # type: ignore[arg-type]
    )
    assert said._sampler.said == "sigma=1000,method=ziggurat,memory=1000000,rectangles=64,tail=25/2,chord=false,pdf_table=true"
    paper = samplez.DiscreteGaussian(10, method="ziggurat", distance=100).certificate()
    assert paper.log2_sd is not None and paper.log2_sd < -100
    assert [paper.options[name] for name in ("precision", "tail", "omega")] == [105, "13", 137] and "distance" not in paper.options
    assert samplez.DiscreteGaussian(3, setup_time=Fraction(1, 2))._sampler.said == "sigma=3,setup_time=0.5"
    assert samplez.DiscreteGaussian.from_recipe(" center = 0.5 & sigma = 3.2 ")._sampler.said == "sigma=16/5,center=1/2"


def test_signatures_name_the_options() -> None:
    names = [option[0] for option in OPTIONS]
    for function in (samplez.DiscreteGaussian, samplez.plan):
        parameters = inspect.signature(function).parameters
        assert set(names) < set(parameters) and "options" not in parameters and "self" not in parameters
        assert str(parameters["precision"]) == "precision: 'int | None' = None"
    assert "constant_time: 'bool | None' = None" in pydoc.render_doc(samplez.plan)


def test_shown() -> None:
    assert repr(G) == "DiscreteGaussian(sigma='3.2')" and str(G) == "D_Z(sigma = 16/5, center = 0) by knuth-yao-ct"
    other = samplez.DiscreteGaussian("3.20", center="-1/3", precision=72, method="cdt")
    assert repr(other) == "DiscreteGaussian(sigma='3.2', center='-1/3', method='cdt', precision=72)"
    laws = [G, other, samplez.DiscreteGaussian(s=8, center=-7, exact=True, memory=2**20, setup_time=0.5),
            samplez.DiscreteGaussian(k_sigma2=254, method="ziggurat", tail="27/2", pdf_table=False, rectangles=16),
            samplez.DiscreteGaussian(sigma_squared=Fraction(10, 3), center=1e-5, variable_time=True)]
    for law in laws:
        again = eval(repr(law), {"DiscreteGaussian": samplez.DiscreteGaussian})
        assert again == law and again.recipe == law.recipe and again._sampler.said == law._sampler.said, repr(law)
    for big in (samplez.BigGaussian("1e30", center="1/3"), samplez.BigGaussian(s=2**80, center="1e-30")):
        assert eval(repr(big), {"BigGaussian": samplez.BigGaussian}) == big
    assert "<td style='text-align:left'>knuth-yao-ct</td>" in G._repr_html_() and "<th style='text-align:left'>entropy</th>" in G._repr_html_()
    certificate, plan = other.certificate()._repr_html_(), samplez.plan(3.2)._repr_html_()
    assert "≤ 2<sup>-" in certificate and "0 (exact)" not in certificate and "0 (exact)" in plan and "estimated speed" in plan
    noise = G.sample(1000, rng=1)
    assert "<td style='text-align:left'>chi-squared</td>" in samplez.verify(noise, G)._repr_html_()
    assert "independent samples of one distribution</caption>" in samplez.verify(noise, against=noise[::2])._repr_html_()
    release = samplez.dp.discrete_gaussian_mechanism([1, 2], sensitivity=1, epsilon=1, delta="1e-6")
    assert "2 integers, shape (2,)" in release._repr_html_() and "σ² = " in release._repr_html_() and "0 (exact)" in release._repr_html_()
    assert "scale 10" in samplez.dp.discrete_laplace_mechanism(5, sensitivity=1, epsilon="0.1")._repr_html_()
    both = (samplez.dp.Plan(sigma_squared=4) + samplez.dp.Plan.laplace(scale=3))._repr_html_()
    assert both.count("<tr><td") == 2 and "13/72-zCDP together" in both
    # No text becomes markup.
    assert _html.table({"<b>": "&"}) == "<table><tr><th style='text-align:left'>&lt;b&gt;</th><td style='text-align:left'>&amp;</td></tr></table>"


def test_plot() -> None:
    import matplotlib

    matplotlib.use("Agg")
    for sigma in ("3.2", "1000"):
        g = samplez.DiscreteGaussian(sigma)
        axes = g.plot(g.sample(10_000, rng=1))
        heights: list[Any] = list(axes.patches)
        assert sum(patch.get_height() for patch in heights) == 10_000
        shares: list[Any] = list(g.plot().patches)
        assert 0 < 1 - sum(patch.get_height() for patch in shares) < 3e-6 and len(shares) <= 401
    with pytest.raises(ValueError, match="samples: expected at least one integer"):
        G.plot(np.zeros(0))  # type: ignore[arg-type]
    bad: Any
    for bad, error, text in (
        ([1, 1.5], TypeError, r"^samples\[1\] = 1.5: expected an integer, not float; round first"),
        ("abc", TypeError, r"^samples\[0\]: expected an integer, not str; read the text as integers first$"),
        ([-(2**63), 2**63 - 1], ValueError, "^samples: range from -9223372036854775808 to 9223372036854775807: expected integers less than 2"),
    ):
        with pytest.raises(error, match=text):
            G.plot(bad)


def test_plot_refuses_what_are_no_axes() -> None:
    bad: Any
    for bad in (3, "axes", [1]):
        with pytest.raises(TypeError, match=rf"^ax( = \w+)?: expected a matplotlib.axes.Axes, or None for new ones, not {type(bad).__name__}$"):
            G.plot(np.arange(3), ax=bad)


def test_parameters_are_exact() -> None:
    """Centre and σ² as fractions, whatever the forms and the other arguments; σ² of the irrational forms as a double."""
    D = samplez.DiscreteGaussian
    for g, center, sigma_squared in [
        (D("3.2"), 0, Fraction(256, 25)),
        (D("3.2", center="-1/3", method="karney"), Fraction(-1, 3), Fraction(256, 25)),
        (D(sigma_squared="10.25", center=2.0**40, exact=True), 2**40, Fraction(41, 4)),
        (D(Fraction(1, 2**60), center=2**62), 2**62, Fraction(1, 2**120)),
    ]:
        again = D(sigma_squared=g.sigma_squared, center=g.center) if g.sigma_squared >= 1 else g
        for made in (g, pickle.loads(pickle.dumps(g)), again):
            assert type(made.center) is Fraction and made.center == center
            assert type(made.sigma_squared) is Fraction and made.sigma_squared == sigma_squared
    for g in (D(s=8, center="1/7"), D(k_sigma2="254/3", center="1/7"), D(s="1e-15", center="1/7"), D(k_sigma2=2**40, center="1/7")):
        assert g.center == Fraction(1, 7) and isinstance(g.sigma_squared, float)
        assert math.isclose(g.sigma_squared, g.sigma**2, rel_tol=2**-49)
    assert D(s=8).sigma_squared == 64 / (2 * math.pi)


@pytest.mark.parametrize("name", ["center", "sigma_squared", "sigma"])
def test_parameters_do_not_change(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(G, name, 1)


def test_unknown_keywords_are_answered_with_near_ones() -> None:
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (samplez.sample, {"loc": 0, "scale": 1}, "center"),
        (samplez.sample, {"scale": 1}, "sigma"),
        (samplez.sample, {"sigma": 3, "random_state": 1}, "rng"),
        (samplez.sample, {"sigma": 3, "seed": 1}, "rng"),
        (samplez.sample, {"sigma": [3], "sizes": 1}, "size"),
        (samplez.BigGaussian, {"sigma": 2, "scale": 3}, "sigma"),
        (samplez.TargetLaw, {"sigma": 2, "loc": 3}, "center"),
        *((function, {"scale": 1, "x" if function.__name__ != "ppf" else "q": 0}, "sigma") for function in (stats.pmf, stats.logpmf, stats.cdf, stats.sf, stats.ppf)),
        (stats.mean, {"sigma": 1, "loc": 0}, "center"),
        (stats.var, {"sigma": 1, "loc": 0}, "center"),
    ]
    for call, arguments, near in cases:
        with pytest.raises(TypeError, match=rf"^\w+: there is no such keyword argument; expected one of .*; (did you mean {near}\?|write {near} for .*)$"):
            call(**arguments)
        parameters = inspect.signature(call).parameters.values()
        assert near in inspect.signature(call).parameters
        assert all(parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) for parameter in parameters)
    draw: Any = samplez.sample
    with pytest.raises(TypeError, match="^colour: there is no such keyword argument; expected one of sigma, center, size, .*, progress$"):
        draw(3, colour="red")
    assert stats.pmf.__doc__ and stats.pmf(x=0, sigma=1.0, center=0) == stats.pmf(0, sigma=1.0)


def refused_positions() -> Iterator[tuple[Callable[..., Any], tuple[Any, ...], str]]:
    """What is called, with which arguments, and the beginning of the answer."""
    order = "; SciPy's loc is center, and its scale is sigma"
    for law in (samplez.DiscreteGaussian, samplez.BigGaussian, samplez.TargetLaw, samplez.plan):
        name = law.__name__
        for given in ((0, 3.2), (10, 3.2), ("3.2", "1/3")):
            yield law, given, f"{name}{given}: expected only sigma without its name; write {name}(sigma=..., center=...){order}"
    yield samplez.sample, (10, 3.2), f"sample(10, 3.2): expected only sigma without its name; write sample(sigma=..., center=...){order}"
    yield samplez.sample, (3.2, 0, 100), f"sample: expected only sigma without its name; write sample(sigma=..., center=...){order}"
    yield samplez.round, (0.5, 3.2), "round: expected only centers without its name; write round(centers=..., sigma=...)"
    yield G.sample, (10, 20), "sample: expected only size without its name; write sample(size=..., rng=...); a shape is one tuple"
    yield samplez.BigGaussian(3).sample, (10, 20), "BigGaussian.sample: expected only size without its name; write BigGaussian.sample(size=..., rng=...); a shape"
    yield samplez.SparseTernary(9, weight=2).sample, (5,), "SparseTernary.sample: expected a name for each argument; write SparseTernary.sample(rng=..., dtype=...)"
    yield samplez.SparseTernary, (9, 2), "SparseTernary: expected only length without its name; write SparseTernary(length=..., weight=...)"
    yield samplez.TableSampler, ([1], "frodo", 3), "TableSampler: expected only entries and form without their names; write TableSampler(entries=..., form=..., sigma=...)"
    yield samplez.OtherNoise, (3.2,), "OtherNoise: expected a name for each argument; write OtherNoise(ternary=..., centered_binomial=...)"
    yield samplez.block, ("sigma=3", 1, 2), "block: expected only recipe without its name; write block(recipe=..., seed=...)"
    function: Any
    for function in (stats.pmf, stats.logpmf, stats.cdf, stats.sf):
        yield function, (0, 10, 3.2), f"{function.__name__}: expected only x without its name; write {function.__name__}(x=..., sigma=...){order}"
    yield stats.var, (10, 3.2), f"var(10, 3.2): expected only sigma without its name; write var(sigma=..., center=...){order}"
    yield lattice.Form, ([[1]], 3), "Form: expected only basis without its name; write Form(basis=..., sigma=...)"
    yield lattice.Form.qary, ([[1]], 3, 17), "Form.qary: expected only a without its name; write Form.qary(a=..., q=...)"
    yield lattice.Gadget, (2, 256, 4), "Gadget: expected only base without its name; write Gadget(base=..., q=...)"
    yield lattice.Trapdoor.generate, (16, 12289), "Trapdoor.generate: expected only n without its name; write Trapdoor.generate(n=..., q=...)"
    yield regev.Parameters, (64, 64, 1031, 1, 2), "Parameters: expected only n without its name; write Parameters(n=..., l=...)"
    dp = samplez.dp
    yield dp.Plan, (3.2,), "Plan: expected a name for each argument; write Plan(sigma_squared=..., sensitivity=...)"
    yield dp.Plan.skellam, (3.2,), "Plan.skellam: expected a name for each argument; write Plan.skellam(variance=..., sensitivity=...)"
    yield dp.Plan.laplace, (3.2,), "Plan.laplace: expected a name for each argument; write Plan.laplace(scale=..., sensitivity=...)"
    yield dp.Plan.pure, (1, 2), "Plan.pure: expected only epsilon without its name; write Plan.pure(epsilon=..., releases=...)"
    yield dp.rho, (3.2,), "rho: expected a name for each argument; write rho(sigma_squared=..., sensitivity=...)"
    for function, name in ((dp.delta, "epsilon"), (dp.epsilon, "delta")):
        yield function, (1, 3.2), f"{function.__name__}: expected only {name} without its name; write {function.__name__}({name}=..., sigma_squared=...)"
    for function in (dp.discrete_gaussian_mechanism, dp.discrete_laplace_mechanism, dp.skellam_mechanism):
        yield function, (412, 1), f"{function.__name__}: expected only values without its name; write {function.__name__}(values=..., sensitivity=...)"


@pytest.mark.parametrize(("call", "given", "text"), list(refused_positions()))
def test_an_argument_with_an_uncertain_place_needs_its_name(call: Callable[..., Any], given: tuple[Any, ...], text: str) -> None:
    """SciPy's order of centre and width is the reverse of ours, and a width without its form could be σ or σ². No message shows data or a seed."""
    with pytest.raises(TypeError) as caught:
        call(*given)
    assert str(caught.value).startswith(text)
    assert all(parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) for parameter in inspect.signature(call).parameters.values())


def test_a_missing_argument_is_named() -> None:
    call: Any
    for call, text in (
        (lambda: samplez.round([0.5]), "missing sigma: write round(centers=..., sigma=...)"),  # type: ignore[call-overload]
        (lambda: samplez.SparseTernary(weight=2), "missing length: write SparseTernary(length=..., weight=...)"),  # type: ignore[call-arg]
        (lambda: lattice.Form.qary([[1]], sigma=3), "missing q: write Form.qary(a=..., q=..., sigma=...)"),  # type: ignore[call-arg]
        (lambda: samplez.dp.epsilon_of_rho(1), "missing delta: write epsilon_of_rho(rho=..., delta=...)"),  # type: ignore[call-arg]
        (lambda: samplez.verify(), "missing data: write verify(data=...)"),  # type: ignore[call-arg]
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == text


def test_a_narrow_dtype_is_refused_before_anything_is_drawn() -> None:
    """As the argument that was given, for every length; the edge of int8 is where a mass of 2^-128 lies beyond it."""
    g = samplez.DiscreteGaussian("30", method="karney")
    message = r"dtype = int8: the samples range from -393 to 393; use int16$"
    source, same = samplez.Source(seed=1), samplez.Source(seed=1)
    for rng in (None, 1, source, np.random.default_rng(1)):
        for size in (None, 0, 1, 10_000):
            with pytest.raises(ValueError, match=f"^{message}"):
                g.sample(size, rng=rng, dtype="int8")
            out = np.ones(size or 0, "int8")
            with pytest.raises(ValueError, match=f"^out.{message}"):
                g.sample(rng=rng, out=out)
            assert out.all()
        assert g.sample(100, rng=rng, dtype="int16").dtype == np.int16
    g.sample(100, rng=same, dtype="int16")
    assert g.sample(rng=source) == g.sample(rng=same), "what was refused drew nothing"
    with pytest.raises(ValueError, match=f"^{message}"):
        samplez.block(g, seed=1, index=0, dtype="int8")
    for sigma in np.arange(9, 10.5, 0.1).round(1).tolist():
        dist = samplez.DiscreteGaussian(sigma, method="karney")
        if dist.sf(127) + dist.cdf(-129) < 2.0**-128:
            assert dist.sample(9, dtype="int8").dtype == np.int8
        else:
            with pytest.raises(ValueError, match="^dtype = int8: "):
                dist.sample(9, dtype="int8")
