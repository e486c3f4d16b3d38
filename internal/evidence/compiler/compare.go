package main

import (
	"fmt"
	"runtime"
	"sync"

	"gpupipe/internal/generate"
)

// Case is a kernel for a target, with what the real compiler made of it.
type Case struct {
	Source   *Source
	Target   Target
	Truth    Truth
	Executed *Executed // by the launch; nil: not measured
}

// Executed are warp instructions of a launch, in all and by pipe, by the columns of the table.
type Executed map[string]int64

// Row is a case with what a compiler says.
type Row struct {
	Case
	Result *Result // may be there with an error: a part of it
	Err    error
}

// truthFiles are the tables of a set, and whose figures they are.
var truthFiles = []struct{ set, file, profile string }{
	{"h100", "h100-nvcc-13.tsv", "nvcc-13"},
	{"h100", "h100-nvcc-11.8.tsv", "nvcc-11.8"},
	{"conv", "conv-nvcc-13.tsv", "nvcc-13"},
	{"conv", "conv-nvcc-11.8.tsv", "nvcc-11.8"},
	{"corpus", "corpus-nvcc-11.8.tsv", "nvcc-11.8"},
	{"fresh", "fresh-nvcc-11.8.tsv", "nvcc-11.8"},
	{"amd", "amd-clang-14.tsv", "clang-amdgcn-14"},
}

// readCases puts the tables together.
func readCases(sources []Source) (list []Case, err error) {
	at := map[string]*Source{}
	for i := range sources {
		at[sources[i].Set+"/"+sources[i].Name] = &sources[i]
	}
	executed, err := readExecuted()
	if err != nil {
		return nil, err
	}
	for _, f := range truthFiles {
		truths, err := readTruth(f.file)
		if err != nil {
			return nil, err
		}
		for _, u := range truths {
			s := at[f.set+"/"+u.Name]
			if s == nil {
				return nil, fmt.Errorf("%s: %s is not in kernels.tsv", f.file, u.Name)
			}
			c := Case{Source: s, Target: Target{u.Arch, f.profile}, Truth: u}
			if f.file == "h100-nvcc-13.tsv" {
				c.Executed = executed[u.Name]
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// readExecuted reads the launches that were measured.
func readExecuted() (map[string]*Executed, error) {
	t, err := readTable("truth/h100-executed.tsv")
	if err != nil {
		return nil, err
	}
	out := map[string]*Executed{}
	for _, row := range t.rows {
		e := Executed{}
		for _, c := range t.columns[1:] {
			if e[c], err = t.number(row, c); err != nil {
				return nil, err
			}
		}
		out[row[0]] = &e
	}
	return out, nil
}

// compareAll compiles all cases, in their order.
func compareAll(cases []Case) []Row {
	rows := make([]Row, len(cases))
	next := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				r, err := compileSource(cases[i].Source, cases[i].Target)
				rows[i] = Row{cases[i], r, err}
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wait.Wait()
	return rows
}

// within reports whether a number is near another one: at most so many or such a fraction of it off.
func within(got, want, number int64, fraction float64) bool {
	d := got - want
	return max(d, -d) <= number || float64(max(d, -d)) <= fraction*float64(want)
}

// registersNear is what is asked of registers: within 4 or 10%.
func (r *Row) registersNear() bool {
	return r.Result != nil && r.Result.Registers > 0 && within(r.Result.Registers, r.Truth.Registers, 4, 0.1)
}

// items are the work items of a group.
func (s *Source) items() int64 {
	sizes, err := generate.ParseSizes(s.Local)
	if err != nil {
		return 256
	}
	n := int64(1)
	for _, d := range sizes {
		n *= d
	}
	return n
}

// resident are the warps that the compiler's and the truth's code leave room for, 0 where that is not known.
func (r *Row) resident() (got, want int64) {
	if r.Result == nil || r.Result.Registers <= 0 {
		return 0, 0
	}
	items, dynamic := r.Source.items(), max(0, r.Source.Dynamic)
	return Resident(r.Target.Arch, r.Result.Registers, r.Result.Shared+dynamic, items),
		Resident(r.Target.Arch, r.Truth.Registers, r.Truth.Shared+dynamic, items)
}

// staticWithin lists the classes whose static counts are off by more than 10% and more than a number that no
// program's time depends on, and reports whether it is empty.
const (
	staticSlack    = 4
	staticFraction = 0.1
)

func (r *Row) staticOff() (off []Class) {
	if r.Result == nil || r.Result.Static == nil || r.Truth.Static == nil {
		return nil
	}
	for c := Class(1); c < Classes; c++ {
		if !within(r.Result.Static[c], r.Truth.Static[c], staticSlack, staticFraction) {
			off = append(off, c)
		}
	}
	return off
}
