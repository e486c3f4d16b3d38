package latencies

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Rule replaces parameters of the instructions that its selector picks, as the
// commands' --set does. Its λ and Λ are final: the rules for memory access patterns are
// not applied to them, because values such as those of P19 T.III were
// measured with the pattern. From R and D they follow as A 6.3 has it. What it says of
// addresses concerns accesses at addresses that the graph does not know, and no others.
type Rule struct {
	Text      string // as given
	Selector  Selector
	CPI       Cycles    // 0 = keep
	Latency   Cycles    // 0 = keep
	Subsystem string    // empty = keep
	Addresses Addresses // 0 = what is assumed without a rule
	Within    int64     // bytes of the buffer that they can reach; 0 = as the graph tells
	Issue     Slots     // issue slots of the instruction; 0 = it is issued together with another
	Reissue   Slots     // of each further pass of its access
	Module    Module    // R and D of A 6.3, from which λ and Λ follow; none = as found
}

// maxModule bounds R and D: a byte of each of 128 lanes, each in a line of 1 KB of its own, is R = 1024.
const maxModule = 1024

// Selector picks instructions. Every part that is given must hold.
//
//	NAME[(BUFFER)][@[FILE:]LINE]
//
// NAME is an op ("fma.f32", "ld.global.f32" with the type of the access), a dotted
// prefix of one ("fma", "ld"), an address space ("local"), a class of the instruction
// mix ("fp32", "int", "special"; isa.Class) or "*", and
// may be left out before "(" or "@".
type Selector struct {
	Name   string // empty or "*" = any
	Buffer string // argument or array accessed, empty = any
	File   string // source file, or the end of its path; empty = any
	Line   int    // source line, 0 = any
}

// ParseRule reads a rule of the form
//
//	SELECTOR:cpi=16,latency=250[,subsystem=NAME][,addresses=KIND][,within=BYTES][,issue=N][,reissue=N][,R=2][,D=3],
//
// where at least one parameter is given and numbers are as in ParseCycles.
func ParseRule(text string) (Rule, error) {
	r := Rule{Text: text}
	bad := func(format string, args ...any) (Rule, error) {
		return Rule{}, diag.Errorf(diag.Pos{}, "SET", "%q: %s", text, fmt.Sprintf(format, args...)).
			WithNote("write SELECTOR:cpi=N,latency=N, where SELECTOR is an op, a class or an address space with an " +
				"optional (BUFFER) and @LINE: ld.global(A)@31:cpi=20,latency=162; or R=N, D=N")
	}
	if len(text) > maxText {
		return Rule{}, diag.Errorf(diag.Pos{}, "SET", "a rule of %d characters is too long", len(text))
	}
	i := strings.LastIndexByte(text, ':')
	if i < 0 || strings.IndexByte(text[i:], '=') < 0 {
		return bad("it has no parameters")
	}
	sel, why := parseSelector(strings.TrimSpace(text[:i]))
	if why != "" {
		return bad("%s", why)
	}
	r.Selector = sel
	for assignment := range strings.SplitSeq(text[i+1:], ",") {
		key, value, ok := strings.Cut(assignment, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || value == "" {
			return bad("%q is not of the form cpi=N, latency=N, subsystem=NAME, addresses=KIND, within=BYTES, "+
				"issue=N, reissue=N, R=N or D=N", assignment)
		}
		switch key {
		case "cpi", "latency":
			into, limit := &r.CPI, int64(maxCPI)
			if key == "latency" {
				into, limit = &r.Latency, maxLatency
			}
			if !into.IsZero() {
				return bad("%s is given twice", key)
			}
			v, err := ParseCycles(value)
			switch {
			case err != nil:
				return bad("%s: %v", key, err)
			case v.IsZero():
				return bad("%s must be more than 0", key)
			case v.Cmp(Cycles{num: limit}) > 0:
				return bad("%s is more than %d cycles", key, limit)
			case v.Den() > maxDenominator:
				return bad("%s: exact times need a denominator of at most %d", key, maxDenominator)
			}
			*into = v
		case "subsystem":
			if r.Subsystem != "" {
				return bad("subsystem is given twice")
			}
			if !isSubsystemName(value) {
				return bad("%q is not a name of a subsystem: use lower-case letters, digits, - and _", value)
			}
			r.Subsystem = value
		case "addresses":
			if r.Addresses != 0 {
				return bad("addresses is given twice")
			}
			kind, err := ParseAddresses(value)
			if err != nil {
				return bad("%v", err)
			}
			r.Addresses = kind
		case "within":
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil || n < 1 || n > 1<<50 || r.Within != 0 {
				return bad("within must be a number of bytes, once")
			}
			r.Within = n
		case "issue", "reissue":
			into := &r.Issue
			if key == "reissue" {
				into = &r.Reissue
			}
			n, err := strconv.Atoi(value)
			switch {
			case into.Given:
				return bad("%s is given twice", key)
			case err != nil || n < 0 || n > maxSlots:
				return bad("%s must be a number of issue slots from 0 to %d", key, maxSlots)
			}
			*into = Slots{n, true}
		case "R", "D":
			into := &r.Module.Ratio
			if key == "D" {
				into = &r.Module.Conflicts
			}
			if into.Known {
				return bad("%s is given twice", key)
			}
			v, err := ParseCycles(value)
			switch {
			case err != nil:
				return bad("%s: %v", key, err)
			case v.Cmp(WholeCycles(maxModule)) > 0:
				return bad("%s is more than %d", key, maxModule)
			}
			*into = Factor{v, true}
		default:
			return bad("no parameter is called %q%s", key,
				didYouMean(key, []string{"cpi", "latency", "subsystem", "addresses", "within", "issue", "reissue", "R",
					"D"}))
		}
	}
	if !r.CPI.IsZero() && !r.Latency.IsZero() && r.Module != (Module{}) {
		return bad("cpi and latency leave nothing for R and D to say")
	}
	return r, nil
}

func parseSelector(text string) (s Selector, why string) {
	rest := text
	if name, where, ok := strings.Cut(rest, "@"); ok {
		rest = name
		if i := strings.LastIndexByte(where, ':'); i >= 0 {
			s.File, where = where[:i], where[i+1:]
			if s.File == "" {
				return s, "the file before the line is empty"
			}
		}
		n, err := strconv.Atoi(where)
		if err != nil || n < 1 {
			return s, fmt.Sprintf("%q is not a line number", where)
		}
		s.Line = n
	}
	if name, buffer, ok := strings.Cut(rest, "("); ok {
		rest = name
		if buffer, ok = strings.CutSuffix(buffer, ")"); !ok || buffer == "" {
			return s, "the buffer must stand in parentheses, as in ld.global(A)"
		}
		s.Buffer = buffer
	}
	s.Name = rest
	switch {
	case rest == "" && s.Buffer == "" && s.Line == 0:
		return s, "the selector is empty; * selects everything"
	case rest != "" && rest != "*" && !isName(rest):
		return s, fmt.Sprintf("%q is not an op, a class or an address space", rest)
	}
	return s, ""
}

// ParseSelector reads a selector.
func ParseSelector(text string) (Selector, error) {
	s, why := parseSelector(text)
	if why != "" {
		return s, fmt.Errorf("%q: %s", text, why)
	}
	return s, nil
}

// Picks reports whether the selector picks an instruction that makes an access, nil for none.
func (s Selector) Picks(in *idg.Instr, a *idg.Access) bool {
	_, ok := s.match(in, a)
	return ok
}

// String prints the selector as ParseRule reads it.
func (s Selector) String() string {
	text := s.Name
	if s.Buffer != "" {
		text += "(" + s.Buffer + ")"
	}
	if s.Line > 0 {
		text += "@"
		if s.File != "" {
			text += s.File + ":"
		}
		text += strconv.Itoa(s.Line)
	}
	return text
}

// specificity orders selectors that pick the same instruction: a position counts
// more than a buffer, a buffer more than a name, a longer name more than a shorter one.
type specificity [4]int

func (s specificity) less(t specificity) bool {
	for i := range s {
		if s[i] != t[i] {
			return s[i] < t[i]
		}
	}
	return false
}

// match reports whether the selector picks an instruction, and how
// specifically.
func (s Selector) match(in *idg.Instr, a *idg.Access) (specificity, bool) {
	var sp specificity
	if s.Line > 0 {
		if s.Line != in.Pos.Line {
			return sp, false
		}
		sp[0] = 1
	}
	if s.File != "" {
		if in.Pos.File != s.File && !strings.HasSuffix(in.Pos.File, "/"+s.File) {
			return sp, false
		}
		sp[1] = 1
	}
	if s.Buffer != "" {
		if a == nil || a.Buffer != s.Buffer {
			return sp, false
		}
		sp[2] = 1
	}
	if s.Name == "" || s.Name == "*" {
		return sp, true
	}
	names := in.Operation().Names(in.Type)
	for i, n := range names {
		if n == s.Name {
			sp[3] = len(names) - i + 1
			return sp, true
		}
	}
	if a != nil && a.Space.String() == s.Name ||
		a == nil && in.Operation().Space != 0 && in.Operation().Space.String() == s.Name {
		sp[3] = 1
		return sp, true
	}
	return sp, false
}
