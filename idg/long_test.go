package idg

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"gpupipe/internal/diag"
)

// longCode is 10^9 iterations of a loop of 1,000 iterations, 3 x 10^12
// instructions in all.
const longCode = "{\"i\":1},\n{\"repeat\":1000000000,\"body\":[\n{\"i\":2,\"d\":[1]},\n" +
	"{\"repeat\":1000,\"body\":[\n{\"i\":2,\"d\":[1],\"d1\":[2]},\n{\"i\":1,\"d\":[1]},\n" +
	"{\"i\":2,\"d\":[1],\"c\":[2]}\n]}\n]}"

// A program of 10^12 instructions takes the memory of its body, and what needs
// all instructions says so.
func TestLongProgram(t *testing.T) {
	doc := withCode(longCode)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g, err := Decode(strings.NewReader(doc), "")
	if err != nil {
		t.Fatal(err)
	}
	p := g.Programs()[0]
	const want = 1 + 1_000_000_000*(1+3*1000)
	if p.Len() != want || p.StaticLen() != 5 {
		t.Errorf("%d instructions executed, %d stored", p.Len(), p.StaticLen())
	}
	if err := g.Verify(); err != nil {
		t.Error(err)
	}
	if m := g.GroupMix(); m.Instructions != want || m.Lanes != 32*want {
		t.Errorf("%d instructions, %d lanes in the mix", m.Instructions, m.Lanes)
	}
	var out bytes.Buffer
	if err := (EncodeOptions{Fold: true}).Encode(&out, g); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), longCode) {
		t.Errorf("written as %s", out.String())
	}
	// One chain from the first instruction to the last.
	if n, err := WarpLatency(p, UnitCosts()); err != nil || n != want {
		t.Errorf("latency %d, error %v, want %d", n, err, int64(want))
	}
	if work, span, err := Parallelism(p, UnitCosts()); err != nil || work != want || span != want {
		t.Errorf("work %d, span %d, error %v, want %d", work, span, err, int64(want))
	}
	for name, write := range map[string]func() error{
		"flat": func() error { _, err := p.Expanded(MaxExpanded); return err },
		"ILP":  func() error { _, err := ILPProfile(p); return err },
	} {
		var d *diag.Error
		if err := write(); !errors.As(err, &d) || d.Code != CodeTooLarge || len(d.Notes) == 0 {
			t.Errorf("%s: error %v", name, err)
		}
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
		t.Errorf("%d bytes allocated", got)
	}
}

// The limit of an expansion is the caller's; what was expanded is kept.
func TestExpandedLimit(t *testing.T) {
	p := long(t, 10)
	if _, err := p.Expanded(p.Len() - 1); err == nil {
		t.Error("expanded beyond the limit")
	}
	f, err := p.Expanded(p.Len())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.Expanded(p.Len()); err != nil || again != f {
		t.Errorf("expanded again, error %v", err)
	}
	if _, err := p.Expanded(1); err == nil {
		t.Error("a smaller limit does not hold once the program is expanded")
	}
}
