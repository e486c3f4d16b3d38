package generate

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	_ "gpupipe/internal/test/tools" // garbage is collected less often
	"gpupipe/latencies"
	"gpupipe/lower/profile"
)

// TestMachineOf: a device is compiled for as its capability, or the latest one of its vendor before it, else the earliest.
func TestMachineOf(t *testing.T) {
	for capability, want := range map[string]string{
		"": "sm_80", "5.0": "sm_50", "6.2": "sm_61", "8.7": "sm_86", "9.0": "sm_90", "gfx90a": "gfx90a",
		"gfx1032": "gfx1030", "1.3": "sm_50", "gfx802": "gfx906", "xe2": "",
	} {
		m, err := machineOf(capability)
		got := ""
		if err == nil {
			got = m.Name
		}
		if got != want {
			t.Errorf("%s: %q, want %q: %v", capability, got, want, err)
		}
	}
}

// TestVersions: each version of a compiler has a profile for the targets that it compiles for.
func TestVersions(t *testing.T) {
	for _, name := range target.Versions {
		compiler, version, err := target.ParseVersion(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, capability := range []string{"8.0", "gfx90a"} {
			if compiler == target.NVCC && capability == "gfx90a" {
				continue
			}
			m, err := machineOf(capability)
			if err != nil {
				t.Fatal(err)
			}
			want := profileOf(&target.Target{Level: target.O2, Compiler: compiler, Version: version}, m)
			if p, err := profile.Lookup(want); err != nil || p.Name != want {
				t.Errorf("%s on %s: %v", name, capability, err)
			}
		}
	}
}

// TestCompile: what the compiler is told comes from the source and the options, nothing from a launch.
func TestCompile(t *testing.T) {
	const text = `__global__ void __launch_bounds__(128, 4) k(const float *in, float *out, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s += in[i];
	out[threadIdx.x] = s;
}`
	d, err := latencies.Builtin("a100")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSource("k.cu", []byte(text), ast.CUDA, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(s, &Options{DynamicLocal: -1, Device: d, Target: target.Target{Level: target.O2}})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := p.Only()
	if err != nil {
		t.Fatal(err)
	}
	_, o, err := p.lowered(fn, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := o.Machine; m.MaxThreads != 128 || m.MinGroups != 4 || o.Profile.Name != "nvcc-11.8" || o.Level != 2 {
		t.Errorf("the compiler is told %+v", o)
	}
	f, err := p.IR(fn, "build")
	if err != nil || !strings.Contains(f.String(), "loop") {
		t.Errorf("%v: %v", err, f)
	}
	c, err := p.Compile(fn)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Prepare(fn)
	if err != nil {
		t.Fatal(err)
	}
	list := p.Occupancies(c, k.Launch)
	if len(list) == 0 || list[0].Device.Name != d.Name || list[0].Groups < 1 || list[0].Warps != 4*list[0].Groups {
		t.Errorf("occupancies %+v", list)
	}
	for _, x := range list[1:] {
		if x.Device.Capability != d.Capability {
			t.Errorf("%s is no device of sm_80", x.Device.Name)
		}
	}
}
