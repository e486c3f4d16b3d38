package export

import (
	"cmp"
	"fmt"
	"slices"

	"gpupipe/idg"
)

// outline is a program's graph with instructions drawn together.
type outline struct {
	boxes  []*box
	arrows []*arrow
	passes []string // titles; boxes name them
	length int64    // of the critical path, in ticks
}

// box is instructions that are drawn as one.
type box struct {
	place
	ops      map[string]int64
	count    int64 // instructions
	critical int64 // of them on the critical path
	access   idg.AccessID
}

// place is what the instructions of a box have in common; other is the box of all lines that have none.
type place struct {
	pass     int
	pos      idg.Pos
	pipeline string
	node     idg.NodeID // of boxes of one instruction each
	other    bool
}

// arrow is the dependences between two boxes.
type arrow struct {
	from, to int
	kinds    [idg.Order + 1]int64
	critical bool
}

// outliner draws a program together.
type outliner struct {
	graph    *idg.Graph
	flat     *idg.Flat
	pipeline []string // by class, at id - 1
	pass     []uint32 // by node
	titles   []string // by pass
}

// outlineOf draws a program together until it has at most so many boxes: first by source line,
// pipeline and pass of a loop; then with the passes in the middle, or all of them, as one; then by line; then with
// the lines of the fewest instructions as one.
func outlineOf(g *idg.Graph, p *idg.Program, pipeline []string, costs idg.Costs, most int) (*outline, error) {
	f, err := p.Expanded(idg.MaxExpanded)
	if err != nil {
		return nil, err
	}
	path, err := idg.CriticalPath(p, costs)
	if err != nil {
		return nil, err
	}
	l := &outliner{graph: g, flat: f, pipeline: pipeline}
	l.findPasses()
	out := l.draw(l.choose(most), path.Nodes)
	out.length = path.Length
	return out, nil
}

// findPasses numbers the passes of loops: an instruction that ends one belongs to it.
func (l *outliner) findPasses() {
	l.pass = make([]uint32, l.flat.Len())
	depth := map[idg.Pos]int{}
	for i := range l.graph.Loops {
		depth[l.graph.Loops[i].Pos] = l.graph.Loops[i].Depth
	}
	done := map[idg.Pos]int64{} // passes of each loop since it was entered
	for v := range idg.NodeID(l.flat.Len()) {
		l.pass[v] = uint32(len(l.titles))
		in := l.graph.Instr(l.flat.Instr(v))
		if !in.IsRolledLoop() && in.Op != idg.LoopBranch {
			continue
		}
		for pos := range done {
			if depth[pos] > depth[in.Pos] {
				delete(done, pos)
			}
		}
		done[in.Pos]++
		loop := "loop"
		if in.Pos.IsValid() {
			loop += fmt.Sprintf(" of line %d", in.Pos.Line)
		}
		l.titles = append(l.titles, fmt.Sprintf("%s, pass %d", loop, done[in.Pos]))
	}
	l.titles = append(l.titles, "after the loops")
	if len(l.titles) == 1 {
		l.titles[0] = ""
	}
}

// choose returns the place of each node, in the finest way that makes at most so many boxes.
func (l *outliner) choose(most int) func(idg.NodeID) place {
	if l.flat.Len() <= most {
		return func(v idg.NodeID) place {
			x := l.line(v)
			x.pass, x.node = int(l.pass[v]), v+1
			return x
		}
	}
	byPass := l.passesWithin(most)
	if byPass != nil {
		return byPass
	}
	byLine := func(v idg.NodeID) place { return place{pos: l.line(v).pos} }
	l.titles = []string{""}
	for _, by := range []func(idg.NodeID) place{l.line, byLine} {
		if len(l.count(by)) <= most {
			return by
		}
	}
	counts := l.count(byLine)
	var lines []place
	for x := range counts {
		lines = append(lines, x)
	}
	slices.SortFunc(lines, func(a, b place) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.pos.File, b.pos.File),
			cmp.Compare(a.pos.Line, b.pos.Line))
	})
	kept := map[place]bool{}
	for _, x := range lines[:most-1] {
		kept[x] = true
	}
	return func(v idg.NodeID) place {
		if x := byLine(v); kept[x] {
			return x
		}
		return place{other: true}
	}
}

// line is the place of a node by line and pipeline.
func (l *outliner) line(v idg.NodeID) place {
	class := l.flat.Instr(v)
	return place{pos: sourceLine(l.graph.Instr(class).Pos), pipeline: l.pipeline[class-1]}
}

// count counts instructions by place.
func (l *outliner) count(by func(idg.NodeID) place) map[place]int64 {
	n := map[place]int64{}
	for v := range idg.NodeID(l.flat.Len()) {
		n[by(v)]++
	}
	return n
}

// passesWithin keeps the first passes and the last one apart, as many as make at most so many boxes;
// nil if there is but one pass, or not even two fit.
func (l *outliner) passesWithin(most int) func(idg.NodeID) place {
	last := len(l.titles) - 1
	if last == 0 {
		return nil
	}
	sizes := make([]int, last+1)    // boxes of a pass
	together := make([]int, last+1) // boxes of the passes from this one to the last but one, as one
	all, own := map[place]bool{}, map[place]bool{}
	v := l.flat.Len() - 1
	for pass := last; pass >= 0; pass-- {
		clear(own)
		for ; v >= 0 && int(l.pass[v]) == pass; v-- {
			x := l.line(idg.NodeID(v))
			own[x] = true
			if pass < last {
				all[x] = true
			}
		}
		sizes[pass], together[pass] = len(own), len(all)
	}
	first, boxes := 0, sizes[last]
	for first < last && boxes+sizes[first]+together[first+1]*min(1, last-first-1) <= most {
		boxes += sizes[first]
		first++
	}
	if first == 0 {
		return nil
	}
	titles := slices.Clone(l.titles[:first])
	if first < last {
		between := fmt.Sprintf("the %d passes between", last-first)
		if last-first == 1 {
			between = l.titles[first]
		}
		titles = append(titles, between)
	}
	titles = append(titles, l.titles[last])
	l.titles = titles
	return func(v idg.NodeID) place {
		x := l.line(v)
		switch pass := int(l.pass[v]); {
		case pass == last:
			x.pass = len(titles) - 1
		default:
			x.pass = min(pass, first)
		}
		return x
	}
}

// draw makes boxes and arrows.
func (l *outliner) draw(by func(idg.NodeID) place, critical []idg.NodeID) *outline {
	out := &outline{passes: l.titles}
	index, arrows := map[place]int{}, map[[2]int]*arrow{}
	of := make([]int32, l.flat.Len())
	for v := range idg.NodeID(l.flat.Len()) {
		x := by(v)
		i, ok := index[x]
		if !ok {
			i = len(out.boxes)
			index[x] = i
			out.boxes = append(out.boxes, &box{place: x, ops: map[string]int64{}})
		}
		of[v] = int32(i)
		in, b := l.graph.Instr(l.flat.Instr(v)), out.boxes[i]
		b.count++
		b.ops[opName(in)]++
		b.access = in.Access
		from, kind := l.flat.Preds(v)
		for e, u := range from {
			if key := [2]int{int(of[u]), i}; key[0] != key[1] {
				a := arrows[key]
				if a == nil {
					a = &arrow{from: key[0], to: key[1]}
					arrows[key] = a
					out.arrows = append(out.arrows, a)
				}
				a.kinds[kind[e]]++
			}
		}
	}
	for i, v := range critical {
		out.boxes[of[v]].critical++
		if i > 0 {
			if a := arrows[[2]int{int(of[critical[i-1]]), int(of[v])}]; a != nil {
				a.critical = true
			}
		}
	}
	return out
}

// opName is an op with the type of what it moves.
func opName(in *idg.Instr) string {
	if in.Type == "" {
		return in.Op
	}
	return in.Op + "." + in.Type
}
