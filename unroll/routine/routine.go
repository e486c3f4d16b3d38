package routine

import (
	"fmt"
	"strings"

	"gpupipe/lower"
)

// Routine is the instructions of a function, in program order.
type Routine struct {
	Steps   []Step
	Results []int // what it returns: numbers of operands
	// Branches says that it has branches. The compiler moves nothing across these: all is
	// executed each time, also what other calls have in common with it.
	Branches bool
}

// Step is one instruction. Operands are numbered: the arguments from 0 on, behind them
// the result of each step. Constants are part of the instruction.
type Step struct {
	Op   string
	Args []int
}

// Arguments are the names of arguments, in order.
var Arguments = [...]string{"x", "y"}

// parse reads the notation of the tables: instructions with a semicolon between them,
// each "result = op operands". A branch has the predicate for operand, or none where it only
// marks where paths come together. The last result is the routine's, unless it returns others.
func parse(text string) (r Routine, err error) {
	names := map[string]int{}
	for i, a := range Arguments {
		names[a] = i
	}
	for statement := range strings.SplitSeq(text, ";") {
		fields := strings.Fields(statement)
		if len(fields) == 0 {
			return r, fmt.Errorf("an empty instruction in %q", text)
		}
		result := ""
		if len(fields) > 2 && fields[1] == "=" {
			result, fields = fields[0], fields[2:]
		}
		var args []int
		for _, f := range fields[1:] {
			n, ok := names[f]
			if !ok {
				return r, fmt.Errorf("%q needs %s, which is not there", strings.TrimSpace(statement), f)
			}
			args = append(args, n)
		}
		switch op := fields[0]; {
		case op == "return":
			r.Results = args
			continue
		case op == Branch:
			r.Branches = true
		case result == "":
			return r, fmt.Errorf("%q has no result", strings.TrimSpace(statement))
		}
		r.Steps = append(r.Steps, Step{fields[0], args})
		number := len(Arguments) + len(r.Steps) - 1
		if result != "" {
			names[result] = number
			if r.Results == nil || len(r.Results) == 1 {
				r.Results = []int{number}
			}
		}
	}
	return r, nil
}

// Branch is what a branch is called.
const Branch = "branch"

// Quotients of which one number is a constant have routines of their own, and names that are no
// ops: these, and behind them the type.
const (
	Reciprocal  = "recip."  // of 1
	OfConstant  = "div.of." // of another constant
	ByConstant  = "div.by." // by a constant that is not a power of two
	InverseRoot = "rsqrt."
)

// Table are those of a compiler: by accuracy and the function's name, those that are the same
// for all of them under 0.
type Table map[lower.Accuracy]map[string]Routine

// parseTables reads tables of functions and their notation. They are part of the program, so
// that errors in them are the program's.
func parseTables(tables map[lower.Accuracy]map[string]string) Table {
	all := Table{}
	for accuracy, table := range tables {
		all[accuracy] = map[string]Routine{}
		for name, text := range table {
			r, err := parse(text)
			if err != nil {
				panic(fmt.Sprintf("routine %s: %v", name, err))
			}
			all[accuracy][name] = r
		}
	}
	return all
}

// Find returns a function's routine, ok = false if it has none.
func (all Table) Find(accuracy lower.Accuracy, name string) (r Routine, ok bool) {
	if r, ok = all[accuracy][name]; !ok {
		r, ok = all[0][name]
	}
	return r, ok
}
