package main

import (
	"fmt"
	"strconv"
	"strings"
)

// Truth is what a compiler made of a kernel for an architecture. -1 stands for what is not known.
type Truth struct {
	Name, Arch   string
	Registers    int64
	Scalars      int64 // AMD: SGPRs
	SpillStores  int64 // bytes, static, as ptxas -v says them; AMD: of registers of a lane
	SpillLoads   int64
	Stack        int64 // bytes of private memory: arrays and spills
	Shared       int64 // bytes of a group, static
	Instructions int64
	Static       *Counts // nil: not known
	Loops        string  // of the machine code: depth:instructions, inner ones included
}

var truthColumns = []string{"name", "arch", "registers", "scalars", "spill_stores", "spill_loads", "stack", "shared",
	"instructions"}

// truthTable is a table of a compiler's figures of a set.
func truthTable(comments []string, list []Truth) *table {
	t := &table{comments: comments, columns: append([]string(nil), truthColumns...)}
	t.columns = append(append(t.columns, classNames[1:]...), "loops")
	number := func(n int64) string {
		if n < 0 {
			return "-"
		}
		return strconv.FormatInt(n, 10)
	}
	for _, u := range list {
		row := []string{u.Name, u.Arch}
		for _, n := range []int64{u.Registers, u.Scalars, u.SpillStores, u.SpillLoads, u.Stack, u.Shared,
			u.Instructions} {
			row = append(row, number(n))
		}
		for c := Class(1); c < Classes; c++ {
			if u.Static == nil {
				row = append(row, "-")
			} else {
				row = append(row, number(u.Static[c]))
			}
		}
		loops := u.Loops
		if loops == "" {
			loops = "-"
		}
		t.rows = append(t.rows, append(row, loops))
	}
	return t
}

// readTruth reads such a table, by name and architecture, in the table's order.
func readTruth(name string) (list []Truth, err error) {
	t, err := readTable("truth/" + name)
	if err != nil {
		return nil, err
	}
	for _, row := range t.rows {
		u := Truth{Name: row[0], Arch: row[1], Loops: dash(t.get(row, "loops"))}
		for i, into := range []*int64{&u.Registers, &u.Scalars, &u.SpillStores, &u.SpillLoads, &u.Stack, &u.Shared,
			&u.Instructions} {
			if *into, err = t.number(row, truthColumns[2+i]); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		if t.get(row, classNames[1]) != "-" {
			u.Static = &Counts{}
			for c := Class(1); c < Classes; c++ {
				if u.Static[c], err = t.number(row, classNames[c]); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
		}
		list = append(list, u)
	}
	return list, nil
}

// describe gives a truth what a listing of machine code says.
func (u *Truth) describe(f *flow) {
	static := f.Static()
	u.Static, u.Instructions = &static, static.Total()
	var loops []string
	for _, l := range f.loops() {
		loops = append(loops, fmt.Sprintf("%d:%d", l.depth, l.size))
	}
	u.Loops = strings.Join(loops, " ")
}
