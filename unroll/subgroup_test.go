package unroll_test

import (
	"testing"

	"gpupipe/idg"
)

// TestSubGroup checks which instructions the functions of a warp are: five steps
// of a butterfly for 32 lanes.
func TestSubGroup(t *testing.T) {
	for _, c := range []struct {
		expr string
		want map[string]int
	}{
		{"sub_group_shuffle_xor(v, 1)", map[string]int{"shuffle": 1}},
		{"sub_group_broadcast(v, 3)", map[string]int{"shuffle": 1}},
		{"sub_group_reduce_add(v)", map[string]int{"shuffle": 5, "add.f32": 5}},
		{"sub_group_reduce_max(v)", map[string]int{"shuffle": 5, "max.f32": 5}},
		{"sub_group_scan_inclusive_add(v)", map[string]int{"shuffle": 5, "add.f32": 5, "select.f32": 5}},
		{"sub_group_scan_exclusive_add(v)", map[string]int{"shuffle": 6, "add.f32": 5, "select.f32": 5}},
		{"(float)sub_group_any(v > 0)", map[string]int{"vote": 1}},
	} {
		res := resolveText(t, `__kernel void k(__global float *a) {
	uint i = get_local_id(0);
	float v = a[i];
	a[i] = `+c.expr+`;
}`, "--local 32")
		ops := opsOf(res.Graph)
		for op, n := range c.want {
			if ops[op] != n {
				t.Errorf("%s: %d %s, want %d; %v", c.expr, ops[op], op, n, ops)
			}
		}
	}
}

// TestSubGroupValues checks that a shuffle of known values gives known ones: the
// addresses of the lanes' loads, in pairs exchanged.
func TestSubGroupValues(t *testing.T) {
	res := resolveText(t, `__kernel void k(__global float *a, __global float *o) {
	uint i = sub_group_shuffle_xor(get_sub_group_local_id(), 1);
	o[get_local_id(0)] = a[i];
}`, "--local 32")
	for _, a := range res.Graph.Accesses() {
		if a.Buffer != "a" {
			continue
		}
		for lane, off := range a.Offsets {
			if want := int64(4 * (lane ^ 1)); off != want {
				t.Errorf("lane %d reads byte %d, want %d", lane, off, want)
			}
		}
		if a.Space != idg.SpaceGlobal || len(a.Offsets) != 32 {
			t.Errorf("access %+v", a)
		}
	}
}

// TestSubGroupControl checks that a vote of known conditions decides a branch.
func TestSubGroupControl(t *testing.T) {
	for expr, stores := range map[string]int{"sub_group_all(i < 32)": 1, "sub_group_all(i < 31)": 0,
		"sub_group_any(i == 31)": 1, "sub_group_any(i > 31)": 0} {
		res := resolveText(t, `__kernel void k(__global float *a) {
	uint i = get_local_id(0);
	if (`+expr+`) a[i] = 1;
}`, "--local 32")
		if got := opsOf(res.Graph)["st.global"]; got != stores {
			t.Errorf("%s: %d stores, want %d", expr, got, stores)
		}
	}
}
