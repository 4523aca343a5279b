#!/usr/bin/env bash
# OpenVINO 2026.4.1 on the CPU (2026-11-30).
# Guess: a model with int64 inputs and outputs adds int64 integers exactly.
# Seen: the CPU computes in int32 and returns int64, without a warning: 2^40 + 1 is 1, 2^31 + 1 is -2147483647,
# 2^53 + 1 is equal to 1, and the greater of 2^40 and 5 is 5. Unsigned bytes saturate: 200 + 100 is 255.
# A user meets it on counts, sums, seeds or fixed-point noise in int64: the types in the model and of the result are
# right.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    openvino==2026.4.1 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
import openvino as ov
from openvino import opset13 as op


def run(function, *inputs):
    parameters = [op.parameter(x.shape, x.dtype) for x in inputs]
    model = ov.Core().compile_model(ov.Model([function(*parameters)], parameters, "look"), "CPU")
    result = model(list(inputs))[0]
    return result.dtype, result.tolist()


def whole(*numbers):
    return np.array(numbers, np.int64)


print("add", *run(op.add, whole(2**40, 2**31, 5), whole(1, 1, 1)))
print("multiply", *run(op.multiply, whole(2**20, 3), whole(2**20, 3)))
print("maximum", *run(op.maximum, whole(2**40), whole(5)))
print("equal", *run(op.equal, whole(2**53 + 1, 6), whole(1, 1)))
print("bytes", *run(op.add, np.array([200, 1], np.uint8), np.array([100, 1], np.uint8)))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
add int64 [1, -2147483647, 6]
multiply int64 [0, 9]
maximum int64 [5]
equal bool [True, False]
bytes uint8 [255, 2]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
