#!/usr/bin/env bash
# onnxruntime 1.32.0 and onnx 1.23.2 (2026-11-30).
# Guess: ReduceSum of int64 is the integer sum, as by ONNX's own reference evaluator.
# Seen: it sums in doubles: 2^53 + 1 and 1 make 2^53, and 3^35 by Pow lacks its last digit. Of int32 the sum ends at
# 2^31 - 1, where the reference wraps. CumSum and Add of the same integers are exact.
# A user meets it on summing integer samples, sums of squares or fixed-point counts in a model: the result is an int64.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    onnxruntime==1.32.0 onnx==1.23.2 numpy==2.4.6

cat >"$tmp/look.py" <<'PYTHON'
import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

TYPES = {"int64": TensorProto.INT64, "int32": TensorProto.INT32}


def look(name, *inputs):
    kind = TYPES[inputs[0].dtype.name]
    names = [f"x{i}" for i in range(len(inputs))]
    values = [helper.make_tensor_value_info(n, TYPES[x.dtype.name], x.shape) for n, x in zip(names, inputs)]
    out = helper.make_tensor_value_info("y", kind, None)
    graph = helper.make_graph([helper.make_node(name, names, ["y"])], "look", values, [out])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    feed = dict(zip(names, inputs))
    one, other = session.run(None, feed)[0], ReferenceEvaluator(model).run(None, feed)[0]
    print(name, inputs[0].dtype, inputs[0].tolist(), "runtime", one.tolist(), "reference", other.tolist())


look("ReduceSum", np.array([2**53 + 1, 1]))
look("Pow", np.array([3]), np.array([35]))
look("Add", np.array([2**53 + 1]), np.array([1]))
look("CumSum", np.array([2**53 + 1, 1]), np.array(0))
look("ReduceSum", np.array([2**31 - 1, 2], np.int32))
look("CumSum", np.array([2**31 - 1, 2], np.int32), np.array(0))
PYTHON

cat >"$tmp/expected" <<'EXPECTED'
ReduceSum int64 [9007199254740993, 1] runtime [9007199254740992] reference [9007199254740994]
Pow int64 [3] runtime [50031545098999704] reference [50031545098999707]
Add int64 [9007199254740993] runtime [9007199254740994] reference [9007199254740994]
CumSum int64 [9007199254740993, 1] runtime [9007199254740993, 9007199254740994] reference [9007199254740993, 9007199254740994]
ReduceSum int32 [2147483647, 2] runtime [2147483647] reference [-2147483647]
CumSum int32 [2147483647, 2] runtime [2147483647, -2147483647] reference [2147483647, -2147483647]
EXPECTED

cd "$tmp"
venv/bin/python look.py | tee seen
diff expected seen
