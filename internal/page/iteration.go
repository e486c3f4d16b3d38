package page

import (
	"cmp"
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// Iteration is the dependence graph of an iteration of a loop, or of all that a warp executes.
type Iteration struct {
	Title        string  `json:"title"`
	Line         int     `json:"line"`         // of the loop; 0 = none
	Instructions int     `json:"instructions"` // warp instructions
	Cycles       float64 `json:"cycles"`       // of the longest chain in it
	Views        []View  `json:"views"`
}

// View is a drawing of an iteration: a node for each place in the source, or for each instruction.
type View struct {
	Title string `json:"title"`
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// Node is one or more executed instructions. Layer and Slot are its place: from the top and, in the layer, from the
// left.
type Node struct {
	Instruction int     `json:"instruction"` // index of Data.Instructions; of several, the first
	Count       int     `json:"count"`
	Critical    int     `json:"critical"` // how many of them are on the longest chain
	Layer       int     `json:"layer"`
	Slot        float64 `json:"slot"`
}

// Edge is a dependence.
type Edge struct {
	From     int    `json:"from"` // index of Nodes
	To       int    `json:"to"`
	Kind     string `json:"kind"`     // data, control or order
	Carried  bool   `json:"carried"`  // on the iteration before
	Critical bool   `json:"critical"` // on the longest chain
}

// mostNodes is how many nodes a drawing has at most: more cannot be read.
const mostNodes = 160

// mostCondensed is how many instructions of a warp are looked at, with a few iterations of each rolled loop.
const mostCondensed = 1 << 20

// iterationsOf are the loops that the first warp executes, by line, and all that it executes. A program that is
// too long to be looked at has none.
func iterationsOf(g *idg.Graph, m *latencies.Mapping) []Iteration {
	program := g.ProgramOf(0)
	loops := make([]bool, len(g.Instrs()))
	for i := range loops {
		loops[i] = g.Instrs()[i].IsRolledLoop()
	}
	flat := program.Condensed(mostCondensed, program.Rolled(loops))
	list := []Iteration{}
	if flat == nil {
		return list
	}
	for line, part := range loopParts(g, flat, loops) {
		list = append(list, newIteration(g, m, flat, part, fmt.Sprintf("an iteration of the loop in line %d",
			line), line))
	}
	slices.SortFunc(list, func(a, b Iteration) int { return cmp.Compare(a.Line, b.Line) })
	title := "all that a warp executes"
	if int64(flat.Len()) < program.Len() {
		title += ", a few iterations of each loop"
	}
	return append(list, newIteration(g, m, flat, stretch{0, flat.Len(), 0}, title, 0))
}

// stretch is an interval of instructions, and where the one before it of its kind begins.
type stretch struct{ from, to, before int }

// loopParts finds, by line, an iteration of each loop: the shortest stretch between two ends of iterations, which
// no end of an outer iteration divides.
func loopParts(g *idg.Graph, f *idg.Flat, loops []bool) map[int]stretch {
	last, before := map[int]int{}, map[int]int{}
	parts := map[int]stretch{}
	for v := range f.Len() {
		class := f.Instr(idg.NodeID(v))
		if !loops[class-1] {
			continue
		}
		line := g.Instr(class).Pos.Line
		at, again := last[line]
		if p, ok := parts[line]; again && (!ok || v-at < p.to-p.from) {
			parts[line] = stretch{at + 1, v + 1, before[line]}
		}
		if again {
			before[line] = at + 1
		}
		last[line] = v
	}
	return parts
}

// piece is a stretch with its dependences.
type piece struct {
	stretch
	graph    *idg.Graph
	flat     *idg.Flat
	critical []bool // by instruction of the stretch
	next     []int  // on the chain: the instruction that waits for it, -1 = none
}

func newIteration(g *idg.Graph, m *latencies.Mapping, f *idg.Flat, part stretch, title string, line int) Iteration {
	p := &piece{stretch: part, graph: g, flat: f}
	it := Iteration{Title: title, Line: line, Instructions: p.len(), Cycles: p.findChain(m), Views: []View{}}
	places := p.byPlace()
	if n := slices.Max(places) + 1; n <= mostNodes {
		it.Views = append(it.Views, p.view("by place in the source", places, n))
	}
	if p.len() <= mostNodes && p.len() > 0 {
		each := make([]int, p.len())
		for i := range each {
			each[i] = i
		}
		it.Views = append(it.Views, p.view("by instruction", each, len(each)))
	}
	return it
}

func (p *piece) len() int { return p.to - p.from }

// instr is the class of an instruction of the stretch.
func (p *piece) instr(i int) idg.InstrID { return p.flat.Instr(idg.NodeID(p.from + i)) }

// findChain finds the longest chain of dependent instructions, and how long it takes.
func (p *piece) findChain(m *latencies.Mapping) float64 {
	start := make([]float64, p.len())
	from := make([]int, p.len())
	end, longest := -1, 0.0
	for i := range start {
		from[i] = -1
		preds, kinds := p.flat.Preds(idg.NodeID(p.from + i))
		for k, u := range preds {
			j := int(u) - p.from
			if j < 0 {
				continue
			}
			t := &m.Entry(p.instr(j)).Timing
			at := start[j] + t.Latency.Float()
			if kinds[k] == idg.Order {
				at = start[j] + t.CPI.Float()
			}
			if at > start[i] {
				start[i], from[i] = at, j
			}
		}
		if done := start[i] + m.Entry(p.instr(i)).Timing.Latency.Float(); done > longest {
			longest, end = done, i
		}
	}
	p.critical, p.next = make([]bool, p.len()), slices.Repeat([]int{-1}, p.len())
	for i := end; i >= 0; i = from[i] {
		p.critical[i] = true
		if from[i] >= 0 {
			p.next[from[i]] = i
		}
	}
	return longest
}

// byPlace numbers the instructions by op and position, in the order of the first of each.
func (p *piece) byPlace() []int {
	type place struct {
		op  string
		pos idg.Pos
	}
	numbers := map[place]int{}
	out := make([]int, p.len())
	for i := range out {
		in := p.graph.Instr(p.instr(i))
		key := place{in.Op, in.Pos}
		n, ok := numbers[key]
		if !ok {
			n = len(numbers)
			numbers[key] = n
		}
		out[i] = n
	}
	return out
}

// view draws the instructions with the same number as one node.
func (p *piece) view(title string, number []int, nodes int) View {
	v := View{Title: title, Nodes: make([]Node, nodes), Edges: []Edge{}}
	for i, n := range number {
		node := &v.Nodes[n]
		if node.Count == 0 {
			node.Instruction = int(p.instr(i)) - 1
		}
		node.Count++
		if p.critical[i] {
			node.Critical++
		}
	}
	edges := map[[2]int]int{}
	for i, to := range number {
		preds, kinds := p.flat.Preds(idg.NodeID(p.from + i))
		for k, u := range preds {
			j := int(u) - p.from
			e := Edge{To: to, Kind: kinds[k].String()}
			switch {
			case j >= 0:
				e.From, e.Critical = number[j], p.next[j] == i
				e.Carried = e.From > to
			case int(u) >= p.before && j+p.len() < p.len() && j+p.len() >= 0 && p.instr(j+p.len()) == p.flat.Instr(u):
				e.From, e.Carried = number[j+p.len()], true
			default: // from outside of the loop
				continue
			}
			if e.From == to && !e.Carried {
				continue
			}
			if at, ok := edges[[2]int{e.From, to}]; ok {
				old := &v.Edges[at]
				old.Critical = old.Critical || e.Critical
				old.Carried = old.Carried && e.Carried
				continue
			}
			edges[[2]int{e.From, to}] = len(v.Edges)
			v.Edges = append(v.Edges, e)
		}
	}
	v.place()
	return v
}
