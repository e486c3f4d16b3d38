package executed

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// class is something that is counted, summed over the work items of a launch.
type class uint8

const (
	globalLoads class = iota // bytes
	globalStores
	localLoads
	localStores
	constantLoads
	privateLoads
	privateStores
	globalAtomics // bytes of the words that are changed
	localAtomics
	barriers
	arithmetic // floating additions and multiplications; a multiply-add is two
	classes
)

func (c class) String() string {
	return [...]string{"global loads", "global stores", "local loads", "local stores", "constant loads",
		"private loads", "private stores",
		"global atomics", "local atomics", "barriers", "add and multiply"}[c]
}

// counts are what a launch executes.
type counts [classes]int64

// Address spaces of clang's target spir64.
var loadsOf, storesOf, atomicsOf = map[string]class{"private": privateLoads, "global": globalLoads,
	"constant": constantLoads, "local": localLoads},
	map[string]class{"private": privateStores, "global": globalStores, "local": localStores},
	map[string]class{"global": globalAtomics, "local": localAtomics}

var spaceNames = []string{"private", "global", "constant", "local"}

var (
	histogramLine = regexp.MustCompile(`^ *(\d+) - (\S+)(.*)$`)
	accessed      = regexp.MustCompile(`^ (\w+) \((\d+) bytes\)$`)
)

// readHistogram reads what oclgrind --inst-counts prints of a kernel.
func readHistogram(text string) (n counts, err error) {
	for line := range strings.Lines(text) {
		m := histogramLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		times, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return n, err
		}
		switch op, rest := m[2], m[3]; op {
		case "load", "store":
			a := accessed.FindStringSubmatch(rest)
			if a == nil {
				return n, fmt.Errorf("not understood: %s", line)
			}
			bytes, err := strconv.ParseInt(a[2], 10, 64)
			if err != nil {
				return n, err
			}
			of := loadsOf
			if op == "store" {
				of = storesOf
			}
			c, ok := of[a[1]]
			if !ok {
				return n, fmt.Errorf("accesses of another space: %s", line)
			}
			n[c] += bytes
		case "fadd", "fsub", "fmul":
			n[arithmetic] += times
		case "call":
			if err := n.addCall(strings.TrimSuffix(strings.TrimSpace(rest), "()"), times); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// function is a mangled name: its length, its name, what it takes.
var function = regexp.MustCompile(`^_Z(\d+)(.*)$`)

// addCall adds what functions do that oclgrind executes as one: they access memory, wait, or are
// arithmetic by definition of the OpenCL C specification, 6.12.
func (n *counts) addCall(name string, times int64) error {
	if strings.HasPrefix(name, "copied.") {
		var to, from int
		var size int64
		if _, err := fmt.Sscanf(name, "copied.%d.%d.%d", &to, &from, &size); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !strings.HasSuffix(name, ".constant") {
			n[loadsOf[spaceNames[from]]] += size * times
		}
		n[storesOf[spaceNames[to]]] += size * times
		return nil
	}
	if strings.HasPrefix(name, "llvm.fmuladd.f") || strings.HasPrefix(name, "llvm.fma.f") {
		n[arithmetic] += 2 * times
		return nil
	}
	m := function.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	length, err := strconv.Atoi(m[1])
	if err != nil || length > len(m[2]) {
		return fmt.Errorf("mangled name %s", name)
	}
	f, takes := m[2][:length], m[2][length:]
	switch {
	case f == "barrier" || f == "work_group_barrier":
		n[barriers] += times
	case strings.HasPrefix(f, "vload"):
		return n.addAccess(loadsOf, f, takes, times)
	case strings.HasPrefix(f, "vstore"):
		return n.addAccess(storesOf, f, takes, times)
	case strings.HasPrefix(f, "atomic_") || strings.HasPrefix(f, "atom_"):
		return n.addAccess(atomicsOf, f, takes, times)
	case strings.HasPrefix(f, "async_work_group"):
		return fmt.Errorf("the bytes of %s are not known", f)
	}
	n[arithmetic] += operations(f, components(takes)) * times
	return nil
}

// operations are the additions and multiplications of a function on vectors of w components.
func operations(f string, w int64) int64 {
	switch f {
	case "fma", "mad":
		return 2 * w
	case "mix":
		return 3 * w // x + (y - x) * a
	case "dot", "length", "fast_length":
		return 2*w - 1
	case "distance", "fast_distance":
		return 3*w - 1
	case "normalize", "fast_normalize":
		return 3*w - 1
	case "cross":
		return 9
	case "degrees", "radians":
		return w
	}
	return 0
}

var vector = regexp.MustCompile(`Dv(\d+)_`)

func components(takes string) int64 {
	if m := vector.FindStringSubmatch(takes); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		return n
	}
	return 1
}

var (
	pointer      = regexp.MustCompile(`P(?:U3AS(\d))?V?K?(Dh|[a-z])`)
	vectorAccess = regexp.MustCompile(`^v(?:load|store)(a?)(_half)?(\d*)(?:_r..)?$`)
	scalarBytes  = map[string]int64{"c": 1, "h": 1, "s": 2, "t": 2, "i": 4, "j": 4, "l": 8, "m": 8, "f": 4,
		"d": 8, "Dh": 2}
)

// addAccess adds the bytes of a function that accesses what its pointer points to.
func (n *counts) addAccess(of map[string]class, f, takes string, times int64) error {
	p := pointer.FindStringSubmatch(takes)
	if p == nil {
		return fmt.Errorf("the bytes of %s(%s) are not known", f, takes)
	}
	space := 0
	if p[1] != "" {
		space, _ = strconv.Atoi(p[1])
	}
	bytes := scalarBytes[p[2]]
	if m := vectorAccess.FindStringSubmatch(f); m != nil && m[3] != "" {
		w, _ := strconv.ParseInt(m[3], 10, 64)
		if w == 3 && m[1] != "" {
			w = 4
		}
		bytes *= w
	}
	c, ok := of[spaceNames[space]]
	if !ok || bytes == 0 {
		return fmt.Errorf("the bytes of %s(%s) are not known", f, takes)
	}
	n[c] += bytes * times
	return nil
}

// sorted returns a map's values in the order of their keys.
func sorted[V any](m map[string]V) (list []V) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, m[k])
	}
	return list
}
