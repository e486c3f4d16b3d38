package fit

import (
	"slices"
	"strings"

	"gpupipe/idg/isa"
	"gpupipe/internal/measure"
)

// subsystem is a part of a compute unit in the device file.
type subsystem struct {
	name, doc   string
	partitioned bool
	queue       int
}

// subsystemOf is where a class's instruction is executed. The mix tells whether special functions have
// units of their own; the other names are those of built-in devices.
func (r *Result) subsystemOf(c *Class) string {
	switch o := isa.Parse(c.Op); {
	case c.Kind == measure.Barrier:
		return "barrier"
	case o.Memory() && o.Space == isa.Local, c.Op == "shuffle":
		return "local"
	case strings.HasPrefix(c.Op, "ld.constant"):
		return "constant"
	case o.Memory():
		return "global"
	case c.Needs == measure.Tensor:
		return "tensor"
	case strings.HasSuffix(c.Op, ".f64"):
		return "fp64"
	case strings.HasPrefix(c.Op, "cvt."), o.Class() == isa.Special && !strings.HasPrefix(c.Op, "div."):
		if r.Mix != nil && r.Mix.Structure == Single {
			return "alu"
		}
		return "sfu"
	}
	return "alu"
}

// docs of the subsystems, in the order of the file.
var docs = []struct{ name, doc string }{
	{"alu", "arithmetic, logic and control"},
	{"sfu", "special functions and conversions"},
	{"fp64", "double precision"},
	{"tensor", "tensor cores"},
	{"local", "local memory and shuffles"},
	{"constant", "reads of constants"},
	{"global", "device memory"},
	{"barrier", "barriers"},
}

// subsystems are those that a class is executed by. One is partitioned if most of its classes' curves are.
func (r *Result) subsystems() []subsystem {
	var list []subsystem
	for _, d := range docs {
		s := subsystem{name: d.name, doc: d.doc}
		votes, members := 0, 0
		var queues []int
		for i := range r.Classes {
			c := &r.Classes[i]
			if c.Refused != "" || matchOf(c.Class) == "" || r.subsystemOf(c) != s.name {
				continue
			}
			members++
			if c.Hull.Partitioned {
				votes++
			} else {
				queues = append(queues, c.Hull.Queue)
			}
		}
		if members == 0 {
			continue
		}
		s.partitioned = 2*votes > members
		if !s.partitioned && len(queues) > 0 {
			slices.Sort(queues)
			s.queue = queues[len(queues)/2]
		}
		list = append(list, s)
	}
	return list
}
