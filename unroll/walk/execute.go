package walk

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
)

// Counts is how often each instruction of a code is executed.
type Counts struct {
	Instrs []*machine.Instr
	Times  []int64 // by all warps of the launch
	// Assumed is what decided that was not known.
	Assumed []string
}

// middle is the group that stands for all.
func middle(o unroll.Options) [3]int64 {
	return [3]int64{o.Groups[0] / 2, o.Groups[1] / 2, o.Groups[2] / 2}
}

// Count executes the warps of the group in the middle, which stands for all.
func Count(c *machine.Code, o unroll.Options) (*Counts, error) {
	s := newStatic(c)
	r := &Counts{Instrs: s.instrs, Times: make([]int64, len(s.instrs))}
	launch := launchOf(o)
	for n := range launch.WarpsPerGroup() {
		w := newWarp(s, o, middle(o), int(n))
		w.block(c.Body)
		if w.err != nil {
			return nil, w.err
		}
		for i, k := range w.counts {
			r.Times[i] += k * launch.TotalGroups()
		}
		if n == 0 {
			r.Assumed = slices.Sorted(maps.Keys(w.assumed))
		}
	}
	return r, nil
}

func launchOf(o unroll.Options) *idg.Launch {
	return &idg.Launch{Local: o.Local, Groups: o.Groups, WarpSize: o.WarpSize}
}

// Execute executes the warps of the group in the middle and returns the graph of what they execute. The kernel is
// that which the code was compiled from.
func Execute(k *lower.Kernel, c *machine.Code, o unroll.Options) (*idg.Graph, diag.List, error) {
	s, b := newStatic(c), idg.NewBuilder()
	launch := launchOf(o)
	var reuse *Reuse
	if o.Locality != unroll.WithoutLocality {
		reuse = newReuse(s, o)
	}
	var first *warp
	warps := launch.WarpsPerGroup()
	if o.Warps == unroll.FirstWarp {
		warps = 1
	}
	for n := range warps {
		w := newWarp(s, o, middle(o), int(n))
		b.Begin(uint32(n))
		w.out = newRecorder(s, b, reuse, int(n))
		if o.Level == unroll.O0 {
			w.out.order = newOrder(s, o.Barrier == unroll.WaitComplete)
		}
		w.block(c.Body)
		if w.err != nil {
			return nil, nil, diag.Errorf(k.Pos, "TOO-LARGE", "%v", w.err)
		}
		if reuse != nil {
			reuse.warps = append(reuse.warps, w.out.warp)
		}
		if n == 0 {
			first = w
		}
	}
	u := &c.Resources
	h := idg.Header{Source: o.Source, Kernel: k.Name, Level: o.Level.String(), Compiler: o.Compiler.String(),
		MachineCode: o.Level != unroll.O0, GPU: o.GPU, Launch: *launch,
		Resources: idg.Resources{LocalBytes: u.LocalBytes + o.DynamicLocal, Registers: u.Registers,
			RegistersEstimated: true, PrivateBytes: u.PrivateBytes - u.SpillBytes, SpilledBytes: u.SpillBytes},
		Loops: loopList(k, c, first)}
	h.Launch.Args = unroll.ArgList(k, o)
	var notes diag.List
	for _, a := range slices.Sorted(maps.Keys(first.assumed)) {
		notes.Add(diag.Notef(k.Pos, "ASSUMED-"+strings.ToUpper(strings.Fields(a)[0]), "%s is assumed", a))
	}
	if reuse != nil {
		notes = append(notes, reuse.analyse(&h, middle(o))...)
	}
	for _, e := range append(slices.Clone(o.Notes), notes...) {
		h.Notes = append(h.Notes, idg.Note{Pos: e.Pos, Code: e.Code, Text: e.Message,
			Advice: strings.Join(e.Notes, "\n")})
	}
	g, err := b.Build(h)
	return g, notes, err
}

// loopList is what the compiler and the walk made of the source's loops.
func loopList(k *lower.Kernel, c *machine.Code, w *warp) []idg.Loop {
	list := make([]idg.Loop, len(k.Loops))
	for i, l := range k.Loops {
		list[i] = idg.Loop{Pos: l.Pos, Kind: l.Kind, Depth: l.Depth, Trips: -1, Factor: 1, Origin: "varies"}
		if l.Pragma != nil {
			list[i].Pragma = l.Pragma.Text
		}
		if t, ok := w.done[int(l.ID)]; ok {
			list[i].Trips, list[i].Origin, list[i].Executed = t.n, "evaluated", 1
		}
		for _, x := range c.Func.Choices {
			if x.Source != int(l.ID) {
				continue
			}
			list[i].Factor, list[i].Full, list[i].Reason = max(1, x.Copies), x.Whole, x.Rule
			if n := int64(0); x.Whole {
				if _, err := fmt.Sscan(x.Trips, &n); err == nil {
					list[i].Trips, list[i].Origin, list[i].Factor = n, "constant", n
				}
			}
		}
	}
	return list
}
