"""What library.c does, through the Python package: its argument is secret.c as a shared library."""

import ctypes
import sys

import numpy as np
from samplez import _samplez


class Secret(ctypes.Structure):
    _fields_ = [("state", ctypes.c_uint64), ("words", ctypes.c_size_t)]


class Bitgen(ctypes.Structure):
    _fields_ = [("state", ctypes.c_void_p)] + [
        (name, ctypes.c_void_p) for name in ("next_uint64", "next_uint32", "next_double", "next_raw")
    ]


helper = ctypes.CDLL(sys.argv[1])
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
next_word = ctypes.cast(helper.secret_word, ctypes.c_void_p)

for line in sys.stdin:
    recipe, dtype, *counts = line.split()
    secret = Secret(1, 0)
    bitgen = Bitgen(ctypes.addressof(secret), next_word, None, None, next_word)
    sampler = _samplez.Sampler(recipe)
    stream = _samplez.Stream.over(capsule(ctypes.addressof(bitgen), b"BitGenerator", None))
    for count in counts:
        out = np.zeros(int(count), dtype)
        before = helper.secret_errors()
        sampler.fill_stream(out, stream)
        print(helper.secret_errors() - before, end=" ")
    print(flush=True)
