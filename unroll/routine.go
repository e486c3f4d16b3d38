package unroll

import (
	"fmt"
	"strings"

	"gpupipe/lower"
)

// GPUs have no instructions for most functions of floating-point numbers, nor for exact
// quotients and roots. PTX has some of them as one instruction; the stage behind it, or the
// library, writes a routine, which is what is recorded for machine code. Which routine depends
// on the compiler and on how exact the source language wants it (lower.Accuracy).
//
// A routine is what a work item executes for ordinary numbers. Others, such as denormal
// divisors or angles beyond 105615, go another way behind a branch, which is recorded, but not
// taken.

// routine is the instructions of a function, in program order.
type routine struct {
	steps   []routineStep
	results []int // what it returns: numbers of operands
	// branches says that it has branches. The compiler moves nothing across these: all is
	// executed each time, also what other calls have in common with it.
	branches bool
}

// routineStep is one instruction. Operands are numbered: the arguments from 0 on, behind them
// the result of each step. Constants are part of the instruction.
type routineStep struct {
	op   string
	args []int
}

// routineArguments are the names of arguments, in order.
var routineArguments = [...]string{"x", "y"}

// parseRoutine reads the notation of the tables: instructions with a semicolon between them,
// each "result = op operands". A branch has the predicate for operand, or none where it only
// marks where paths come together. The last result is the routine's, unless it returns others.
func parseRoutine(text string) (r routine, err error) {
	names := map[string]int{}
	for i, a := range routineArguments {
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
			r.results = args
			continue
		case op == branchOp:
			r.branches = true
		case result == "":
			return r, fmt.Errorf("%q has no result", strings.TrimSpace(statement))
		}
		r.steps = append(r.steps, routineStep{fields[0], args})
		number := len(routineArguments) + len(r.steps) - 1
		if result != "" {
			names[result] = number
			if r.results == nil || len(r.results) == 1 {
				r.results = []int{number}
			}
		}
	}
	return r, nil
}

// branchOp is what a branch is called.
const branchOp = "branch"

// routines are those of a compiler: by accuracy and the function's name, those that are the same
// for all of them under 0.
type routines map[lower.Accuracy]map[string]routine

// parseRoutines reads tables of functions and their notation. They are part of the program, so
// that errors in them are the program's.
func parseRoutines(tables map[lower.Accuracy]map[string]string) routines {
	all := routines{}
	for accuracy, table := range tables {
		all[accuracy] = map[string]routine{}
		for name, text := range table {
			r, err := parseRoutine(text)
			if err != nil {
				panic(fmt.Sprintf("routine %s: %v", name, err))
			}
			all[accuracy][name] = r
		}
	}
	return all
}

// find returns a function's routine, ok = false if it has none.
func (all routines) find(accuracy lower.Accuracy, name string) (r routine, ok bool) {
	if r, ok = all[accuracy][name]; !ok {
		r, ok = all[0][name]
	}
	return r, ok
}
