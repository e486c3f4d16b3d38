// Package independent recomputes what P19, L4, A and V16 print from their formulas alone, and compares it with the
// tool.
//
//	article_test.go     the formulas of P19, L4 and A
//	volkov_test.go      the formulas and tables of V16
//	bench_test.go       how the tool is asked: hand-made graphs, models' inputs, device files
//	checks_*_test.go    what is compared
//
// The formulas were written from the text of the sources, without the tool's. Each printed number is recomputed or its
// misprint is proved; each result of the tool equals the formula, or the check says why it does not.
package independent

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// check is one result of a source.
type check struct {
	source, what string
	printed      string  // as printed; "" for a formula without a number
	formula      float64 // recomputed; 0 where the tool's value is the largest difference from a formula over a range
	tool         func() (float64, error)
	tolerance    float64 // relative (absolute where formula is 0); 0 = 1e-9
	reason       string  // why the recomputed number is not the printed one: a misprint, a rounding, a measurement
	differs      string  // why the tool decides otherwise than the source
}

// eq is a check: what is printed, the formula's value, and what the tool says.
func eq(source, what, printed string, formula float64, tool func() (float64, error)) check {
	return check{source: source, what: what, printed: printed, formula: formula, tool: tool}
}

func (c check) within(tolerance float64) check { c.tolerance = tolerance; return c }
func (c check) why(reason string) check        { c.reason = reason; return c }
func (c check) otherwise(why string) check     { c.differs = why; return c }

// recomputed reports whether the formula gives the printed number: within half a unit of its last digit.
func (c *check) recomputed(t *testing.T) bool {
	if c.printed == "" {
		return true
	}
	printed, err := strconv.ParseFloat(c.printed, 64)
	if err != nil {
		t.Fatal(err)
	}
	_, fraction, _ := strings.Cut(c.printed, ".")
	return math.Abs(c.formula-printed) <= math.Pow(10, -float64(len(fraction)))/2*(1+1e-9)
}

// verdict asks the tool and says what came of it, and whether that is all right.
func (c *check) verdict() (tool, verdict string, ok bool) {
	if c.tool == nil {
		return "-", "recomputed, no part of the tool", true
	}
	got, err := c.tool()
	if err != nil {
		return err.Error(), "failed", false
	}
	tolerance := c.tolerance
	if tolerance == 0 {
		tolerance = 1e-9
	}
	if c.formula != 0 {
		tolerance *= math.Abs(c.formula)
	}
	tool = fmt.Sprintf("%.6g", got)
	if math.Abs(got-c.formula) <= tolerance {
		return tool, "equal", c.differs == ""
	}
	return tool, "differs: " + c.differs, c.differs != ""
}

func TestSources(t *testing.T) {
	checks := append(articleChecks(t), volkovChecks(t)...)
	count := map[string]int{}
	t.Logf("| source | what | printed | recomputed | tool | verdict |")
	for i := range checks {
		c := &checks[i]
		tool, verdict, ok := c.verdict()
		if !ok {
			t.Errorf("%s, %s: recomputed %v, the tool has %s", c.source, c.what, c.formula, tool)
		}
		if same := c.recomputed(t); same && c.reason != "" && c.printed != "" {
			t.Errorf("%s, %s: %s is recomputed, but has a reason not to be", c.source, c.what, c.printed)
		} else if !same && c.reason == "" {
			t.Errorf("%s, %s: printed %s, recomputed %v", c.source, c.what, c.printed, c.formula)
		}
		word, _, _ := strings.Cut(verdict, ":")
		count[strings.Fields(word)[0]]++
		if c.reason != "" {
			verdict += "; " + c.reason
		}
		if strings.HasPrefix(c.reason, "misprint") {
			count["misprint"]++
		}
		recomputed := fmt.Sprintf("%.6g", c.formula)
		if c.printed == "" && c.formula == 0 {
			recomputed = "formula"
		}
		t.Logf("| %s | %s | %s | %s | %s | %s |", c.source, c.what, c.printed, recomputed, tool, verdict)
	}
	t.Logf("%d checks: %d equal, %d differ, %d recomputed only; %d misprints of the sources",
		len(checks), count["equal"], count["differs"], count["recomputed,"], count["misprint"])
}
