//go:build samplez_cgo && !cgo

package samplez

// The name is not defined: the compiler shows it.
type sampler the_build_tag_samplez_cgo_needs_CGO_ENABLED_1_and_a_C_compiler
