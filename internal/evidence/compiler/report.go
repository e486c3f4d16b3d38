package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// share is a part of a number of cases.
type share struct{ hit, of int }

func (s *share) add(hit bool) {
	s.of++
	if hit {
		s.hit++
	}
}

func (s share) String() string {
	if s.of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.0f%%)", s.hit, s.of, 100*float64(s.hit)/float64(s.of))
}

// score is the summary of rows.
type score struct {
	compiled, registers, resident           share
	bias, distance                          float64 // of registers, means
	static, total, classes                  share   // static instructions: all classes of a kernel, their sum, by class
	executed                                share
	spillsFound, spillBytes, spillsImagined share
}

// scoreOf sums up rows.
func scoreOf(rows []Row) (s score) {
	n := 0
	for i := range rows {
		r := &rows[i]
		s.compiled.add(r.Err == nil)
		s.registers.add(r.registersNear())
		if r.Result == nil {
			continue
		}
		if r.Result.Registers > 0 {
			n++
			s.bias += float64(r.Result.Registers - r.Truth.Registers)
			s.distance += math.Abs(float64(r.Result.Registers - r.Truth.Registers))
			if got, want := r.resident(); want > 0 {
				s.resident.add(got == want)
			}
		}
		s.spills(r)
		s.instructions(r)
	}
	s.bias, s.distance = s.bias/float64(max(1, n)), s.distance/float64(max(1, n))
	return s
}

// spills compares spills.
func (s *score) spills(r *Row) {
	if r.Result.Registers <= 0 {
		return
	}
	found := r.Result.SpillStores+r.Result.SpillLoads > 0
	switch {
	case r.Truth.SpillStores+r.Truth.SpillLoads > 0:
		s.spillsFound.add(found)
		got, want := float64(r.Result.SpillStores+r.Result.SpillLoads), float64(r.Truth.SpillStores+r.Truth.SpillLoads)
		s.spillBytes.add(got <= 1.5*want && got >= want/1.5)
	case r.Truth.SpillStores < 0: // the listing is not there, but private memory is
		s.spillsFound.add(found)
	case r.Truth.SpillStores == 0:
		s.spillsImagined.add(found)
	}
}

// instructions compares counts.
func (s *score) instructions(r *Row) {
	if r.Result.Static != nil && r.Truth.Static != nil {
		off := r.staticOff()
		s.static.add(len(off) == 0)
		s.total.add(within(r.Result.Static.Total(), r.Truth.Instructions, staticSlack, staticFraction))
		for c := Class(1); c < Classes; c++ {
			if r.Truth.Static[c] > 0 {
				s.classes.add(!slices.Contains(off, c))
			}
		}
	}
	if got, want, ok := r.executed(); ok {
		s.executed.add(within(got, want, 0, staticFraction))
	}
}

// executed are the warp instructions of the launch.
func (r *Row) executed() (got, want int64, ok bool) {
	if r.Executed == nil || r.Result == nil || r.Result.Executed == nil {
		return 0, 0, false
	}
	return r.Result.Executed.Total(), (*r.Executed)["warp_instructions"], true
}

// groupName is what a row is counted with.
func (r *Row) groupName() string { return r.Source.Set + " " + r.Target.Profile + " " + r.Target.Arch }

// groups are the rows of each table and architecture, in the order of their first ones.
func groups(rows []Row) (names []string, by map[string][]Row) {
	by = map[string][]Row{}
	for _, r := range rows {
		name := r.groupName()
		if by[name] == nil {
			names = append(names, name)
		}
		by[name] = append(by[name], r)
	}
	return names, by
}

// writeSummary writes a table with a line of each group.
func writeSummary(w io.Writer, rows []Row) {
	fmt.Fprintln(w, "| Kernels | compiled | registers near | mean error | mean distance | resident warps equal "+
		"| spills found | spilled bytes | false spills | classes near | all classes of a kernel | static total "+
		"| executed |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	names, by := groups(rows)
	for _, name := range names {
		s := scoreOf(by[name])
		fmt.Fprintf(w, "| %s | %v | %v | %+.1f | %.1f | %v | %v | %v | %v | %v | %v | %v | %v |\n", name, s.compiled,
			s.registers, s.bias, s.distance, s.resident, s.spillsFound, s.spillBytes,
			s.spillsImagined, s.classes, s.static, s.total,
			s.executed)
	}
}

// writeRows writes every row, the worst ones of a group first.
func writeRows(w io.Writer, rows []Row, most int) {
	names, by := groups(rows)
	for _, name := range names {
		fmt.Fprintf(w, "\n%s (this/real compiler)\n", name)
		list := by[name]
		slices.SortStableFunc(list, func(a, b Row) int { return cmp.Compare(b.badness(), a.badness()) })
		for i := range list[:min(most, len(list))] {
			fmt.Fprintln(w, list[i].String())
		}
	}
}

// badness orders rows: what failed, then by how far registers are off.
func (r *Row) badness() float64 {
	if r.Result == nil || r.Err != nil {
		return math.Inf(1)
	}
	d := math.Abs(float64(r.Result.Registers - r.Truth.Registers))
	return d/max(4, 0.1*float64(r.Truth.Registers)) + 0.1*float64(len(r.staticOff()))
}

// String is a line: what is off.
func (r *Row) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s", r.Source.Name)
	if r.Err != nil {
		fmt.Fprintf(&b, " %.150s", firstLine(r.Err))
		return b.String()
	}
	u, t := r.Result, &r.Truth
	mark := " "
	if !r.registersNear() {
		mark = "!"
	}
	fmt.Fprintf(&b, " reg %3d/%-3d%s", u.Registers, t.Registers, mark)
	if t.Scalars >= 0 {
		fmt.Fprintf(&b, " sgpr %d/%d", u.Scalars, t.Scalars)
	}
	if got, want := r.resident(); got != want {
		fmt.Fprintf(&b, " warps %d/%d", got, want)
	}
	if t.SpillStores+t.SpillLoads != 0 || u.SpillStores+u.SpillLoads > 0 {
		fmt.Fprintf(&b, " spill bytes %d+%d/%d+%d", u.SpillStores, u.SpillLoads, t.SpillStores, t.SpillLoads)
	}
	if u.Shared != t.Shared && u.Shared >= 0 {
		fmt.Fprintf(&b, " shared %d/%d", u.Shared, t.Shared)
	}
	if got, want, ok := r.executed(); ok {
		fmt.Fprintf(&b, " executed %.2f", float64(got)/float64(want))
	}
	if u.Static != nil && t.Static != nil {
		fmt.Fprintf(&b, " code %d/%d:", u.Static.Total(), t.Instructions)
		for _, c := range r.staticOff() {
			fmt.Fprintf(&b, " %v %d/%d", c, u.Static[c], t.Static[c])
		}
	}
	return b.String()
}
