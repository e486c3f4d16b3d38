package metamorphic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
)

// kind is what of a compiler's decisions differs.
type kind string

const (
	instructions kind = "instructions"
	registers    kind = "registers"
	arrays       kind = "arrays"
	unrolling    kind = "unrolling"
)

var kinds = []kind{instructions, registers, arrays, unrolling}

// code is what a compiler decided of a kernel, as far as a launch shows it.
type code struct {
	registers string            // of a work item, and bytes of spilled ones
	arrays    string            // private arrays in memory, and their bytes
	unrolling map[string]string // by loop that is reached: factor and reason
	// ops are, by position in the source, the operations that are executed of it.
	ops map[string]map[string]bool
	// partly: some loop has an unrolled and a remaining part, of which a launch may execute one alone, or no iterations:
	// only what is in front of it is executed of its statements.
	partly bool
	// bodies are, by rolled loop without branches and loops within, the operations of one iteration of the
	// machine code's loop with their number.
	bodies map[string]string
}

// executed is the code that a launch shows.
func executed(k *prepared) (*code, error) {
	g, _, err := k.Resolve()
	if err != nil {
		return nil, err
	}
	c := &code{unrolling: map[string]string{}, ops: map[string]map[string]bool{}, bodies: map[string]string{}}
	c.registers = fmt.Sprintf("%d, %d bytes spilled", g.Resources.Registers, g.Resources.SpilledBytes)
	c.arrays = fmt.Sprintf("%d bytes: %s", g.Resources.PrivateBytes, arraysInMemory(g))
	for _, l := range g.Loops {
		if l.Origin != "not reached" {
			c.unrolling[l.Pos.String()] = fmt.Sprintf("by %d (%s)", l.Factor, l.Reason)
			c.partly = c.partly || l.Factor > 1 && !l.Full || l.Trips == 0
		}
	}
	for i := range g.Instrs() {
		in := &g.Instrs()[i]
		if in.IsIssueOnly() { // depends on how lanes go
			continue
		}
		pos := in.Pos.String()
		if c.ops[pos] == nil {
			c.ops[pos] = map[string]bool{}
		}
		c.ops[pos][operation(g, in)] = true
	}
	straight := straightLoops(k.Lowered)
	for _, p := range g.Programs() {
		c.readBodies(g, p, straight)
	}
	return c, nil
}

// operation is an instruction without its position: the op, and of an access the elements' type and the width.
func operation(g *idg.Graph, in *idg.Instr) string {
	if a := g.Access(in.Access); a != nil {
		return fmt.Sprintf("%s.%s:%d", in.Op, in.Type, a.Width)
	}
	return in.Op
}

// arraysInMemory names the private arrays that are accessed in memory.
func arraysInMemory(g *idg.Graph) string {
	names := map[string]bool{}
	for i := range g.Accesses() {
		if a := &g.Accesses()[i]; a.Space == idg.SpacePrivate && a.Buffer != idg.SpillBuffer {
			names[a.Buffer] = true
		}
	}
	return words(names)
}

// straightLoops are the positions of loops whose iterations execute the same code: without branches, switches and
// loops.
func straightLoops(k *lower.Kernel) map[string]bool {
	straight := map[string]bool{}
	for _, l := range k.Loops {
		pos, branches := l.Pos.String(), false
		lower.Walk(l.Body, func(s lower.Stmt) {
			_, plain := s.(*lower.Instr)
			branches = branches || !plain
		})
		was, again := straight[pos]
		straight[pos] = !branches && (was || !again)
	}
	return straight
}

// Iterations are looked for in so many of a warp's instructions, and count if they are found so often: what lies
// between two of them may look like one.
const (
	searched = 20_000
	often    = 3
)

// readBodies finds iterations of rolled loops in what a warp executes: what lies between two loop instructions.
// Of each loop, the most frequent one counts.
func (c *code) readBodies(g *idg.Graph, p *idg.Program, straight map[string]bool) {
	found := map[string]map[string]int{}
	var body []*idg.Instr
	last, n := "", 0
	for s := range p.Order() {
		if n++; n > searched {
			break
		}
		in := g.Instr(p.StaticInstr(s))
		if !in.IsIssueOnly() {
			body = append(body, in)
		}
		if !in.IsRolledLoop() {
			continue
		}
		pos := in.Pos.String()
		if pos == last && straight[pos] {
			if found[pos] == nil {
				found[pos] = map[string]int{}
			}
			found[pos][bodyOf(g, body)]++
		}
		last, body = pos, body[:0]
	}
	for pos, bodies := range found {
		most := often - 1
		for _, text := range slices.Sorted(maps.Keys(bodies)) {
			if n := bodies[text]; n > most {
				most, c.bodies[pos] = n, text
			}
		}
	}
}

// bodyOf is the text of an iteration: "2 ld.global.f32:4 at k.cl:3:5".
func bodyOf(g *idg.Graph, body []*idg.Instr) string {
	count := map[string]int{}
	for _, in := range body {
		count[operation(g, in)+" at "+in.Pos.String()]++
	}
	lines := make([]string, 0, len(count))
	for op, n := range count {
		lines = append(lines, fmt.Sprintf("%d %s", n, op))
	}
	slices.Sort(lines)
	return strings.Join(lines, ", ")
}

// differences says, by kind, what of two codes of one kernel differs: the first of each kind. What one of them
// does not show, a loop that is not reached or a statement that is not executed, is no difference.
func differences(a, b *code) map[kind]string {
	out := map[kind]string{}
	differ := func(k kind, what, x, y string) {
		if out[k] == "" && x != y {
			out[k] = fmt.Sprintf("%s%s, was %s", what, y, x)
		}
	}
	differ(registers, "", a.registers, b.registers)
	differ(arrays, "", a.arrays, b.arrays)
	compare := func(k kind, what string, x, y map[string]string) {
		for _, at := range slices.Sorted(maps.Keys(x)) {
			if other, both := y[at]; both {
				differ(k, what+at+": ", x[at], other)
			}
		}
	}
	compare(unrolling, "", a.unrolling, b.unrolling)
	for _, at := range slices.Sorted(maps.Keys(a.ops)) {
		x, y := a.ops[at], b.ops[at]
		// A loop that is not iterated shows the branch around it alone.
		_, loop := a.unrolling[at]
		if y == nil || (loop || a.partly || b.partly) && (includes(x, y) || includes(y, x)) {
			continue
		}
		differ(instructions, at+": ", words(x), words(y))
	}
	compare(instructions, "an iteration of ", a.bodies, b.bodies)
	return out
}

// includes reports whether every word of y is one of x.
func includes(x, y map[string]bool) bool {
	for w := range y {
		if !x[w] {
			return false
		}
	}
	return true
}

func words(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), " ") }
