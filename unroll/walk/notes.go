package walk

import (
	"fmt"
	"strings"
	"unicode"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll"
)

// assumption is what a diagnostic says, and where.
type assumption struct {
	pos           diag.Pos
	code, message string
}

// says notes a diagnostic, each once.
func (s *static) says(e *diag.Error) {
	at := assumption{e.Pos, e.Code, e.Message}
	if !s.said[at] {
		s.said[at] = true
		s.notes.Add(e)
	}
}

// news reports whether something is noted for the first time: putting it in words takes longer than executing it.
func (s *static) news(in any, what string) bool {
	key := noted{in, what}
	if s.noted[key] {
		return false
	}
	s.noted[key] = true
	return true
}

type noted struct {
	in   any
	what string
}

// assumesTrips notes that the number of iterations of a loop of the source is assumed.
func (w *warp) assumesTrips(source int, trips int64) {
	s := w.c
	pos, known := s.loopPos[source]
	if !known || !s.news(source, "trips") {
		return
	}
	on, bound := "", ""
	if s.kernel != nil {
		bound = s.kernel.Loops[source-1].BoundText
	}
	if bound != "" {
		on = " (" + bound + ")"
	}
	s.says(diag.Notef(pos, "ASSUMED-TRIPS", "the trip count of this loop is not known%s: %d iterations assumed", on,
		trips).WithNote("%s", oneOf(append([]string{fmt.Sprintf("--trip %d=N", pos.Line)},
		w.adviseValues(bound)...)...)))
}

// assumesBranch notes that what lanes do at a branch is assumed.
func (w *warp) assumesBranch(in *ir.Instr, leaves bool) {
	s := w.c
	what := "both sides are executed"
	if leaves {
		what = "no work item is taken to leave here"
	}
	if in == nil || !s.news(in, what) {
		return
	}
	if in.Kind == "switch" {
		s.says(diag.Notef(in.Pos, "ASSUMED-BRANCH", "the value of this switch is not known: every case is executed").
			WithNote("%s", oneOf(w.adviseLine(in.Pos)...)))
		return
	}
	ways := w.adviseLine(in.Pos)
	if in.Source != 0 {
		ways = append([]string{fmt.Sprintf("--branch %s=taken|not-taken", s.branchLocation(in.Pos))}, ways...)
	}
	s.says(diag.Notef(in.Pos, "ASSUMED-BRANCH", "the condition is not known: %s", what).WithNote("%s", oneOf(ways...)))
}

// branchLocation names the branch at a position as --branch does: by its line, with the column where the line has
// several.
func (s *static) branchLocation(p lower.Pos) string {
	if s.kernel != nil {
		for _, b := range s.kernel.Branches {
			if b.Pos.File == p.File && b.Pos.Line == p.Line && b.Pos.Column != p.Column {
				return fmt.Sprintf("%d:%d", p.Line, p.Column)
			}
		}
	}
	return fmt.Sprint(p.Line)
}

// adviseLine is adviseValues for the line of the source at a position. It remembers it: a line may have many branches.
func (w *warp) adviseLine(p lower.Pos) []string {
	p.Column = 0
	ways, known := w.c.advice[p]
	if !known {
		ways = w.adviseValues(w.sourceLine(p))
		w.c.advice[p] = ways
	}
	return ways
}

// adviseValues is how a user tells what a text of the source depends on and is not known: scalar arguments, and what
// is loaded from buffers.
func (w *warp) adviseValues(text string) []string {
	arguments, named := w.adviseArguments(text)
	if named && !strings.ContainsAny(text, "[*") && !strings.Contains(text, "->") {
		return []string{arguments}
	}
	return []string{arguments, "--contents NAME=FILE if it is loaded from a buffer"}
}

// adviseArguments tells the scalar arguments without a value that a text names, "--arg n=VALUE"; if it names none,
// because it follows from them by variables, any of those without one. It is empty if no argument lacks a value.
func (w *warp) adviseArguments(text string) (advice string, named bool) {
	words := identifiers(text)
	lacking := w.lacking()
	var these []string
	for _, name := range lacking {
		if words[name] {
			these = append(these, "--arg "+name+"=VALUE")
		}
	}
	switch {
	case len(these) > 0:
		return strings.Join(these, " "), true
	case len(lacking) > 0:
		return fmt.Sprintf("--arg NAME=VALUE (without one: %s)", strings.Join(lacking, ", ")), false
	}
	return "", false
}

// lacking are the scalar arguments without a value: the same in all of an execution, and asked for at each access.
func (w *warp) lacking() []string {
	s := w.c
	if s.lacking != nil {
		return s.lacking
	}
	used := map[int]bool{}
	s.code.Func.Body.Walk(func(in *ir.Instr) {
		for _, a := range in.Args {
			used[a.Index] = used[a.Index] || a.Kind == ir.KernelArg
		}
	})
	s.lacking = []string{}
	for i, p := range s.code.Func.Params {
		if _, given := w.launch.Args[p.Name]; !given && used[i] && p.Type.IsInteger() {
			s.lacking = append(s.lacking, p.Name)
		}
	}
	return s.lacking
}

// identifiers are the names in a text of C, members of structs with what they are members of.
func identifiers(text string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return c != '_' && c != '.' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		words[w] = true
	}
	return words
}

// sourceLine is the line of the kernel's file at a position; empty in other files.
func (w *warp) sourceLine(p diag.Pos) string {
	if p.File != w.launch.Source.File || p.Line < 1 {
		return ""
	}
	if w.c.lines == nil {
		w.c.lines = strings.Split(w.launch.Source.Text, "\n")
	}
	if p.Line > len(w.c.lines) {
		return ""
	}
	return w.c.lines[p.Line-1]
}

// oneOf is advice of several ways, of which empty ones do not apply.
func oneOf(ways ...string) string {
	var apply []string
	for _, w := range ways {
		if w != "" {
			apply = append(apply, w)
		}
	}
	last := len(apply) - 1
	if last < 1 {
		return "give " + strings.Join(apply, "")
	}
	return "give " + strings.Join(apply[:last], ", ") + ", or " + apply[last]
}

// checkChoices warns about locations that name nothing or change nothing.
func (s *static) checkChoices(o *unroll.Options) {
	var loopAt, branchAt []lower.Pos
	for _, l := range s.kernel.Loops {
		loopAt = append(loopAt, l.Pos)
	}
	for _, b := range s.kernel.Branches {
		branchAt = append(branchAt, b.Pos)
	}
	check := func(flag, what string, at unroll.Location, positions []lower.Pos) {
		e := diag.Warningf(s.kernel.Pos, "LOCATION", "--%s %v: kernel %s has no %s there", flag, at, s.kernel.Name,
			what)
		for _, p := range positions {
			if at.Matches(p) {
				return
			}
			e.WithNote("there is one at %v", p)
		}
		s.says(e)
	}
	for _, c := range o.Trips {
		check("trip", "loop", c.At, loopAt)
		for i, p := range loopAt {
			if n, ok := s.constant[i+1]; ok && n != c.Trips && c.At.Matches(p) {
				s.says(diag.Warningf(p, "TRIP", "--trip %d=%d is ignored: the trip count is the constant %d", p.Line,
					c.Trips, n))
			}
		}
	}
	for _, c := range o.Unrolls {
		check("unroll", "loop", c.At, loopAt)
	}
	for _, c := range o.Branches {
		check("branch", "branch", c.At, branchAt)
	}
}

// checkPragmas warns about pragmas that ask for a loop to be unrolled fully, and are not followed.
func (s *static) checkPragmas(loops []idg.Loop) {
	for i, l := range s.kernel.Loops {
		h := &loops[i]
		if s.code.Target.ISA == "source" || l.Pragma == nil || l.Pragma.Kind != lower.UnrollFull || h.Full ||
			h.Origin == "not reached" {
			continue
		}
		why := fmt.Sprintf("its trip count (%s) is not a constant for the compiler", l.BoundText)
		if h.Origin == "constant" {
			why = "the loop is not unrolled fully"
		}
		s.says(diag.Warningf(l.Pos, "PRAGMA", "%s: %s", h.Pragma, why))
	}
}

// checkLimits notes decisions about loops that another version of the compiler may take otherwise.
func (s *static) checkLimits(loops []idg.Loop) {
	for _, c := range s.code.Func.Choices {
		i := c.Source - 1
		if !c.Close || i < 0 || i >= len(loops) || loops[i].Origin == "not reached" {
			continue
		}
		what := "kept rolled"
		if c.Whole {
			what = "unrolled fully"
		} else if c.Copies > 1 {
			what = fmt.Sprintf("unrolled by %d", c.Copies)
		}
		s.says(diag.Notef(s.kernel.Loops[i].Pos, "UNROLL-LIMIT", "the loop is %s, by a size within 5%% of the "+
			"compiler's limit: another version may decide otherwise; idgen --unroll-report has the times of both sides",
			what))
	}
}

// checkShifts warns about counts of shifts that the compiler knows and that are not below the width.
func (s *static) checkShifts() {
	for _, in := range s.kernel.Shifts {
		width, n := 8*in.Type.Size(), int64(in.Args[1].Bits)
		if in.Clamps() {
			s.says(diag.Warningf(in.Pos, "SHIFT", "shift of %d bits by %d: CUDA leaves the result open; every bit is "+
				"shifted out, as PTX's shl and shr do", width, n))
			continue
		}
		s.says(diag.Warningf(in.Pos, "SHIFT", "shift of %d bits by %d: OpenCL takes the count modulo %d (OpenCL C "+
			"1.2, 6.3 j)", width, n, width))
	}
}
