package tune

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gpupipe/simulate/sweep"
)

// Value is one value of a parameter: an int, a float64, a bool or a string.
type Value any

// ParseValue reads a value as a command line and tables have it: a number, else a text.
func ParseValue(text string) Value {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
		return f
	}
	return text
}

// Text is a value as a macro has it.
func Text(v Value) string {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool: // as a C compiler is given it
		if v {
			return "1"
		}
		return "0"
	}
	return fmt.Sprint(v)
}

// Param is a parameter of a space.
type Param struct {
	Name   string
	Values []Value
}

// ParseParam reads NAME=LIST: numbers, ranges as sweep.ParseNumbers reads them, and texts, with commas between them.
func ParseParam(text string) (Param, error) {
	name, list, ok := strings.Cut(text, "=")
	p := Param{Name: strings.TrimSpace(name)}
	if !ok || p.Name == "" || strings.TrimSpace(list) == "" {
		return p, fmt.Errorf("write NAME=LIST, as in BX=16,32,64, TX=1..4 or N=1..64*2")
	}
	if !isName(p.Name) {
		return p, fmt.Errorf("%q is not a name", p.Name)
	}
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if !strings.Contains(item, "..") {
			p.Values = append(p.Values, ParseValue(item))
			continue
		}
		numbers, err := sweep.ParseNumbers(item)
		if err != nil {
			return p, err
		}
		for _, n := range numbers {
			if n.Den() == 1 {
				p.Values = append(p.Values, int(n.Num()))
			} else {
				p.Values = append(p.Values, n.Float())
			}
		}
	}
	return p, p.check()
}

// check finds values that are given twice.
func (p *Param) check() error {
	if len(p.Values) == 0 {
		return fmt.Errorf("parameter %s has no values", p.Name)
	}
	seen := map[string]bool{}
	for _, v := range p.Values {
		if seen[Text(v)] {
			return fmt.Errorf("parameter %s has the value %s twice", p.Name, Text(v))
		}
		seen[Text(v)] = true
	}
	return nil
}

// isName reports whether a text is a name of C.
func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
