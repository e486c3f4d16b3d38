package fit

import (
	"fmt"
	"strings"
)

// separate takes what is executed with the instruction of a class off its numbers. Λ of a dependent sequence
// is a sum, and so is λ of what one subsystem executes.
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
		for _, op := range strings.Fields(c.With) {
			c.takeOff(r, op)
		}
		c.judge()
	}
}

// alike are instructions that no class has alone, and those whose numbers are taken for theirs.
var alike = map[string]string{"setp.s32": "select.s32", "and.s32": "add.s32"}

// takeOff takes one instruction off a class.
func (c *Class) takeOff(r *Result, op string) {
	name := op
	if other, ok := alike[op]; ok {
		name = other
	}
	other := r.class(name)
	if other == nil {
		c.Refused = fmt.Sprintf("%s, which is executed with it, was not measured or was refused", op)
		return
	}
	cpi, latency := c.CPI.Value, c.Latency.Value-other.Latency.Value
	if c.Op == "loop" { // the addition waits for the loop, not the loop for it
		latency = c.Latency.Value
	}
	if r.subsystemOf(c) == r.subsystemOf(other) {
		cpi -= other.CPI.Value
	}
	if cpi <= c.CPI.Error*c.CPI.Value || latency <= c.Latency.Error*c.Latency.Value {
		c.Refused = fmt.Sprintf("nothing certain is left without %s, which is executed with it", op)
		return
	}
	c.CPI.Error *= c.CPI.Value / cpi
	c.Latency.Error *= c.Latency.Value / latency
	c.CPI.Value, c.Latency.Value = cpi, latency
}
