package fit

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// separate takes what is executed with the instruction of a class off its numbers. Λ of a dependent sequence
// is a sum, and so is λ of what one subsystem executes. A difference magnifies the errors.
func (r *Result) separate() {
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.With == "" || c.Refused != "" {
			continue
		}
		if c.Op == "select.s32" { // no class has the comparison alone
			c.CPI.Value, c.Latency.Value = c.CPI.Value/2, c.Latency.Value/2
			c.Note = "half of a comparison and a select, which are taken to be alike"
			continue
		}
		c.takeOff(r)
		c.judge()
	}
}

// alike are instructions that no class has alone, and those whose numbers are taken for theirs.
var alike = map[string]string{"setp.s32": "select.s32", "and.s32": "add.s32"}

// besides is the share of a step's λ from which what other units take of it hides λ of the instruction: units that
// are both so busy get into each other's way.
const besides = 0.75

// takeOff takes the other instructions off a class.
func (c *Class) takeOff(r *Result) {
	cpi, latency := c.CPI, c.Latency
	elsewhere := map[string]float64{}
	for _, op := range strings.Fields(c.With) {
		if like := alike[op]; like != "" {
			c.Note = op + " is taken to be like " + like
		}
		other := r.class(cmp.Or(alike[op], op))
		if other == nil {
			why := op + ", which is executed with it, was not measured"
			cpi.Bound, cpi.Why, latency.Bound, latency.Why = true, why, true, why
			continue
		}
		if c.Op != "loop" { // the addition waits for the loop, not the loop for it
			latency = latency.less(other.Latency)
		}
		if at := r.subsystemOf(other); at == r.subsystemOf(c) {
			cpi = cpi.less(other.CPI)
		} else if elsewhere[at] += other.CPI.Value; elsewhere[at] >= besides*c.CPI.Value {
			cpi.Bound, cpi.Why = true, "what is executed with it takes about as long"
		}
	}
	if !(cpi.Error < 1) || !(latency.Error < 1) {
		c.Refused = fmt.Sprintf("nothing certain is left without %s, which is executed with it", c.With)
		return
	}
	c.CPI, c.Latency = cpi, latency
}

// less is a number without another that it contains.
func (n Number) less(part Number) Number {
	absolute := math.Hypot(n.Error*n.Value, part.Error*part.Value)
	n.Value -= part.Value
	n.Error = absolute / max(n.Value, 0)
	return n
}
