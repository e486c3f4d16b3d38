package latencies

import "strings"

// Gap is something that no source tells of a device, and what stands in for it.
type Gap struct {
	What    string // a path such as "memory.contention" or an op such as "div.f64"
	Instead string // the documented rule: a value composed from others, or what the model does without
	// Timing is what the fallback chain composes for an op, the zero value where there is
	// nothing that could stand for it, and of other gaps.
	Timing Timing
}

// Parameters are λ and Λ as text, empty where there are none.
func (g *Gap) Parameters() (cpi, latency string) {
	if g.Timing.CPI.IsZero() {
		return "", ""
	}
	return g.Timing.CPI.String(), g.Timing.Latency.String()
}

// usualOps are the ops that most kernels need, whose composition a device's
// description shows where it has no entry for them.
var usualOps = []string{
	"add.f32", "mul.f32", "fma.f32", "div.f32", "sqrt.f32", "cos.approx.f32", "add.f64", "fma.f64",
	"div.f64", "add.f16",
	"add.s32", "mul.s32", "mad.s32", "div.s32", "and.s32", "shl.s32", "setp.s32", "add.s64", "cvt.f32.s32", "loop",
	"branch", "barrier", "shuffle",
	"ld.global", "st.global", "atomic.add.global", "ld.local", "st.local", "ld.constant",
}

// Gaps lists what no source tells of the device: first parts of the model, then ops
// that the fallback chain composes from others.
func (d *Device) Gaps() []Gap {
	var out []Gap
	known := func(path string) bool { _, ok := d.Origin(path); return ok }
	m := &d.Memory
	for _, g := range []struct {
		what    string
		missing bool
		instead string
	}{
		{"issue_interval", !known("issue_interval"), "a warp issues as often as its scheduler can"},
		{"register_reads", !known("register_reads"), "registers give any number of operands at once"},
		{"group_replacement", !known("group_replacement"), "a finished group is replaced at once"},
		{"group_start", !known("group_start"), "any number of groups start at once"},
		{"launch_ns", !known("launch_ns"), "a launch takes no longer than its groups"},
		{"memory.l1", m.L1 == nil, "no L1: reads go to the next level"},
		{"memory.l2", m.L2 == nil, "no L2: what L1 does not serve goes to device memory"},
		{"memory.l2.bytes", m.L2 != nil && m.L2.Bytes == 0, "no access finds its data in L2"},
		{"memory.contention", m.Contention == nil, "the latency of device memory does not depend on its load"},
		{"memory.local_atomic_turn", m.LocalAtomicTurn.IsZero(), "the cpi of an access of local memory"},
		{"memory.global_atomic_turn", m.GlobalAtomicTurn.IsZero(), "L2 combines the updates of a warp"},
	} {
		if g.missing {
			out = append(out, Gap{What: g.what, Instead: g.instead})
		}
	}
	mapper, err := NewMapper(d, nil)
	if err != nil {
		return out
	}
	for _, op := range usualOps {
		switch r := mapper.find(op, "", nil); {
		case r.missing != "":
			out = append(out, Gap{What: op, Instead: "nothing: a kernel that has it needs --set"})
		case len(r.steps) > 0:
			out = append(out, Gap{What: op, Instead: strings.TrimPrefix(join(r.steps), op+" -> "), Timing: r.timing})
		}
	}
	return out
}
