#!/usr/bin/env bash
# wazero 1.12.0 for Go, on x86-64 (2026-11-30).
# Guess: the uint64 of an i32 result has zero upper bits, by wazero's compiler as by its interpreter.
# Seen: the compiler leaves bits of the arguments there. The low half of 2^40 + 5 compared with 5 is 10000000001 in
# hexadecimal, not 1, and -2.5 cut to an i32 begins with the bits of the double. The interpreter has zeros.
# A user meets it on comparing a result with 1 or 0 before api.DecodeI32 or uint32: it is right until the compiler runs.
set -euo pipefail

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export GOFLAGS="-mod=mod -modcacherw" GOMODCACHE="$tmp/modules"

cat >"$tmp/look.go" <<'GO'
package main

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// (module
//   (func (export "low") (param i64) (result i32) local.get 0 i32.wrap_i64)
//   (func (export "is5") (param i64) (result i32) local.get 0 i32.wrap_i64 i32.const 5 i32.eq)
//   (func (export "cut") (param f64) (result i32) local.get 0 i32.trunc_sat_f64_s))
const module = "0061736d01000000010b0260017e017f60017c017f030403000001071303036c6f7700000369733500010363757400020a17" +
	"0305002000a70b08002000a74105460b06002000fc020b"

func main() {
	code, err := hex.DecodeString(module)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	for _, kind := range []string{"interpreter", "compiler"} {
		config := wazero.NewRuntimeConfigInterpreter()
		if kind == "compiler" {
			config = wazero.NewRuntimeConfigCompiler()
		}
		instance, err := wazero.NewRuntimeWithConfig(ctx, config).Instantiate(ctx, code)
		if err != nil {
			panic(err)
		}
		for _, call := range []struct {
			name     string
			argument uint64
		}{{"low", 1<<40 + 5}, {"is5", 1<<40 + 5}, {"cut", api.EncodeF64(-2.5)}} {
			results, err := instance.ExportedFunction(call.name).Call(ctx, call.argument)
			if err != nil {
				panic(err)
			}
			fmt.Printf("%s %s: %x, decoded %d\n", kind, call.name, results[0], api.DecodeI32(results[0]))
		}
	}
}
GO

cat >"$tmp/expected" <<'EXPECTED'
interpreter low: 5, decoded 5
interpreter is5: 1, decoded 1
interpreter cut: fffffffe, decoded -2
compiler low: 10000000005, decoded 5
compiler is5: 10000000001, decoded 1
compiler cut: c0040000fffffffe, decoded -2
EXPECTED

cd "$tmp"
go mod init look 2>/dev/null
go get github.com/tetratelabs/wazero@v1.12.0 2>/dev/null
go run look.go | tee seen
diff expected seen
