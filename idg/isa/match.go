package isa

import (
	"slices"
	"strings"
)

// Names lists the names by which entries and rules may mean an op, from the most
// specific to the most general: with the type of a memory access's elements, the op, any instruction
// of a scalar unit if the op is one, its prefixes, and its class in instruction mixes.
func (o Op) Names(element string) []string {
	var names []string
	if element != "" {
		names = append(names, o.text+"."+element)
	}
	names = append(names, o.text)
	if o.ScalarInstructions() == 1 {
		names = append(names, ScalarAny.String())
	}
	if rest := o.rest(); o.Approximate() && rest != "" {
		if o.Accuracy != 0 {
			names = append(names, o.Verb.String()+"."+Approx.String()+"."+o.last())
		} else {
			names = append(names, accuracies[Native]+o.base()+"."+o.last())
		}
	}
	for p := o.text; ; {
		i := strings.LastIndexByte(p, '.')
		if i < 0 {
			break
		}
		p = p[:i]
		names = append(names, p)
	}
	if c := o.Class(); slices.Contains(families, c) {
		names = append(names, string(c))
	}
	return names
}

// IsFamily reports whether a name is that of a class of which entries of device files may be.
func IsFamily(name string) bool { return slices.Contains(families, Class(name)) }

// Names lists the operations, without the versions of functions.
func Names() []string {
	names := make([]string, 0, len(rows))
	for _, r := range rows[1:] {
		names = append(names, r.name)
	}
	return names
}
