//go:build samplez_cgo

package samplez

import (
	"strings"
	"testing"
)

// The C library promises its samplers' classes of timing.
func TestTimingIsPromised(t *testing.T) {
	sampler, err := New("sigma=3.2,constant_time=true")
	if err != nil {
		t.Fatal(err)
	}
	if json := sampler.CertificateJSON(); !strings.Contains(json, `"timing":"constant"`) || strings.Contains(sampler.Certificate(), "WebAssembly") {
		t.Errorf("%s\n%s", json, sampler.Certificate())
	}
}
