package simulate

import (
	"fmt"
	"testing"
)

// TestReduceInner: a dependence is left out exactly where another one implies it and is
// satisfied later.
func TestReduceInner(t *testing.T) {
	const data, order = 0, 1
	slow, store, instant := class{hold: 2, latency: 9}, class{hold: 4, latency: 1}, class{}
	queued := class{hold: 2, latency: 9, queued: true}
	type dep struct{ on, kind uint32 }
	for _, c := range []struct {
		name  string
		class []class // by node
		deps  [][]dep // by node
		want  string
	}{
		{"a chain", []class{slow, slow, slow}, [][]dep{{}, {{0, data}}, {{0, data}, {1, data}}}, "[[] [0] [2]]"},
		{"over a chain of two", []class{slow, slow, slow, slow},
			[][]dep{{}, {{0, data}}, {{1, data}}, {{0, data}, {2, data}}}, "[[] [0] [2] [4]]"},
		{"a chain of issues", []class{slow, slow, slow}, [][]dep{{}, {{0, order}}, {{0, order}, {1, order}}},
			"[[] [1] [3]]"},
		{"λ is over when Λ is", []class{slow, slow, slow}, [][]dep{{}, {{0, data}}, {{0, order}, {1, data}}},
			"[[] [0] [2]]"},
		{"not with a longer λ", []class{store, slow, slow}, [][]dep{{}, {{0, data}}, {{0, order}, {1, data}}},
			"[[] [0] [1 2]]"},
		{"nor behind a queue", []class{queued, slow, slow}, [][]dep{{}, {{0, data}}, {{0, order}, {1, data}}},
			"[[] [0] [1 2]]"},
		{"Λ need not be over when λ is", []class{slow, slow, slow}, [][]dep{{}, {{0, order}}, {{0, data}, {1, data}}},
			"[[] [1] [0 2]]"},
		{"at the same time", []class{slow, instant, slow}, [][]dep{{}, {{0, data}}, {{0, data}, {1, data}}},
			"[[] [0] [0 2]]"},
		{"no chain", []class{slow, slow, slow}, [][]dep{{}, {}, {{0, data}, {1, data}}}, "[[] [] [0 2]]"},
	} {
		b := tracedBlock{off: []uint32{0}}
		for v := range c.class {
			b.class = append(b.class, uint32(v))
			for _, d := range c.deps[v] {
				b.inner = append(b.inner, 2*d.on+d.kind)
			}
			b.off = append(b.off, uint32(len(b.inner)))
		}
		b.reduceInner(c.class)
		got := [][]uint32{}
		for v := range c.class {
			got = append(got, b.inner[b.off[v]:b.off[v+1]])
		}
		if s := fmt.Sprint(got); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

// TestReduceInnerFar: what gates a long block is left out where the way to it is known.
func TestReduceInnerFar(t *testing.T) {
	const n = 300
	b := tracedBlock{off: []uint32{0}, class: make([]uint32, n)}
	for v := range uint32(n) {
		if v > 0 {
			b.inner = append(b.inner, 0) // all wait for the first one
		}
		if v > 1 {
			b.inner = append(b.inner, 2*(v-1))
		}
		b.off = append(b.off, uint32(len(b.inner)))
	}
	b.reduceInner([]class{{hold: 1, latency: 5}})
	// That the first one is over is known from bits up to the distance of impliedReach,
	// is found out anew by the next one, and known from then on.
	if want := n; len(b.inner) != want {
		t.Errorf("%d dependences are left, want %d", len(b.inner), want)
	}
}
