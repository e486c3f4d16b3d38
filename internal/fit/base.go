package fit

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gpupipe/latencies"
)

// base is the built-in device that a measured one refines: the one of its name, or else that of its capability, or
// of the nearest below, with the nearest number of compute units. None of another vendor is: nil.
func (r *Result) base() (base *latencies.Device, itself bool) {
	if d, err := latencies.Builtin(r.Device.Name); err == nil {
		return d, true
	}
	least := []float64{math.Inf(1), 0}
	for _, name := range latencies.Names() {
		d, err := latencies.Builtin(name)
		if err != nil || !strings.Contains(strings.ToLower(r.Device.Vendor), strings.ToLower(d.Vendor)) {
			continue
		}
		is, err1 := strconv.ParseFloat(d.Capability, 64)
		want, err2 := strconv.ParseFloat(r.Device.Capability, 64)
		if err1 != nil || err2 != nil || is > want {
			continue
		}
		units := math.Abs(math.Log(float64(d.ComputeUnits) / float64(max(r.Device.ComputeUnits, 1))))
		if far := []float64{want - is, units}; slices.Compare(far, least) < 0 {
			base, least = d, far
		}
	}
	return base, false
}

// several are ops of classes that compilers make several instructions of, or operands of others, in the machine code
// of which graphs consist.
var several = map[string]string{
	"loop":        "a compiler makes several instructions of it",
	"branch":      "the class is a branch with all that it waits for",
	"ld.constant": "machine code names constants as operands; the class reads at an address in a register",
}

// inherits says why the numbers of a class are those of the base; "" if they are the class's own.
func (f *file) inherits(c *Class) string {
	if f.base == nil || c.Refused != "" {
		return c.Refused
	}
	if why := several[c.Op]; why != "" {
		return why
	}
	was, ok := f.mapper.Entry(c.Op)
	if ok && c.CPI.Bound && c.CPI.Value*(1+c.CPI.Error) < was.Timing.CPI.Float() {
		return "its compiler spreads it over several units: λ of one is more than " + decimal(c.CPI.Value)
	}
	return ""
}
