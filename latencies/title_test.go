package latencies

import "testing"

func TestTitleOf(t *testing.T) {
	for name, titles := range map[string]map[string]string{
		"rtx3090": {"local": "L1/shared", "global": "DRAM", "l2": "L2", "fma": "FP32", "alu": "INT", "sfu": "SFU",
			"tensor": "tensor"},
		"gtx1060": {"local": "shared", "l1": "L1", "alu": "FP32/INT", "fp64": "FP64", "barrier": "barrier"},
	} {
		d, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		for subsystem, want := range titles {
			if got := d.TitleOf(subsystem); got != want {
				t.Errorf("%s: %s is called %s, want %s", name, subsystem, got, want)
			}
		}
	}
}
