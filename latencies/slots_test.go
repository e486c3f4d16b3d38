package latencies

import (
	"testing"

	"gpupipe/idg"
)

// lanesApart is an access of a warp whose lanes lie so many bytes apart.
func lanesApart(space idg.Space, bytes int64) *idg.Access {
	a := &idg.Access{Space: space, Width: 4}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, bytes*lane)
	}
	return a
}

// V16 4.7: a special function takes 2 issue slots and an access of local memory 3 on the
// GTX 980; 7.4: Fermi issues an access again for each further transaction; T.3.4's
// assumptions by rules.
func TestSlots(t *testing.T) {
	global := func(bytes int64) op {
		return op{"ld.global", "f32", 1, lanesApart(idg.SpaceGlobal, bytes)}
	}
	local := func(bytes int64) op { return op{"ld.local", "f32", 1, lanesApart(idg.SpaceLocal, bytes)} }
	special, sine := op{"native_rsqrt.f32", "", 1, nil}, op{"native_sin.f32", "", 1, nil}
	wide := lanesApart(idg.SpaceLocal, 16)
	wide.Width = 16
	unknown := op{"ld.global", "f32", 1, &idg.Access{Space: idg.SpaceGlobal, Width: 4}}
	for _, c := range []struct {
		device string
		op     op
		rules  []string
		want   int
	}{
		{"gtx980", op{"add.f32", "", 1, nil}, nil, 1},
		{"gtx980", special, nil, 2},
		{"gtx980", sine, nil, 2},
		{"gtx980", local(4), nil, 3},
		{"gtx980", local(8), nil, 3}, // no source tells that Maxwell issues it again
		{"gtx980", op{"st.local", "f32", 1, lanesApart(idg.SpaceLocal, 4)}, nil, 3},
		{"gtx980", global(8), nil, 1},
		{"gtx480", special, nil, 1},
		{"gtx480", global(4), nil, 1},
		{"gtx480", global(8), nil, 2},
		{"gtx480", global(128), nil, 32},
		{"gtx480", local(8), nil, 2},
		{"gtx480", op{"ld.local", "f32x4", 1, wide}, nil, 1}, // four passes, but no conflict
		{"gtx480", unknown, nil, 1},
		{"gtx480", unknown, []string{"*:addresses=scattered"}, 32},
		{"gtx480", global(128), []string{"global:reissue=0"}, 1},
		{"gtx980", special, []string{"special:issue=0"}, 0},
		{"gtx980", local(8), []string{"local:issue=1,reissue=1"}, 2},
		{"gtx980", global(8), []string{"*:reissue=1"}, 2},
		{"8800gtx", global(4), []string{"*:reissue=1"}, 1}, // two half-warps
		{"8800gtx", local(4), []string{"*:reissue=1"}, 1},
	} {
		if got := entryOf(t, builtin(t, c.device), c.op, c.rules...).Slots(); got != c.want {
			t.Errorf("%s: %s with %v takes %d issue slots, want %d", c.device, c.op.op, c.rules, got, c.want)
		}
	}
	for _, text := range []string{"*:issue=-1", "*:issue=65", "*:issue=1/2", "*:issue=1,issue=1", "*:reissue=x"} {
		if _, err := ParseRule(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
