package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gpupipe/idg"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/simple"
)

// DOTOptions says what [DOT] draws. The zero value of each field takes the documented default.
type DOTOptions struct {
	// Nodes is how many there are at most; 0 = 60.
	Nodes int
	// Pipeline names the pipeline of an instruction class; nil = kinds of pipelines that all GPUs have.
	Pipeline func(idg.InstrID) string
	// Costs say which path is critical; the zero value counts instructions.
	Costs idg.Costs
	// Length names the length of that path, in ticks; nil = instructions.
	Length func(ticks int64) string
}

// defaultNodes is as many as a page shows.
const defaultNodes = 60

// DOT writes the graph in Graphviz's language, one cluster for each program and within it one for each pass of a loop.
// A node is one instruction if all fit, else those of a source line and a pipeline in a pass, with
// their number; where even these are too many, passes and then lines are drawn together. Edges run from the
// producer to what waits for it: solid for data, dashed for control, dotted for
// order. The critical path is thick. A program of more than MaxExpanded instructions is an error.
func DOT(w io.Writer, g *idg.Graph, o DOTOptions) error {
	d := newDOT(g, o)
	kinds, err := kindsOf(g)
	if err != nil {
		return err
	}
	most := cmp.Or(o.Nodes, defaultNodes)
	shown := kinds[:min(len(kinds), most)]
	for i := range shown {
		out, err := outlineOf(g, shown[i].program, d.pipelines, d.costs, max(most/len(shown), 1))
		if err != nil {
			return err
		}
		d.add(i, &shown[i], out)
	}
	if more := len(kinds) - len(shown); more > 0 {
		d.title += fmt.Sprintf("; %d kinds of warps are not drawn", more)
	}
	text, err := dot.Marshal(d, "", "", "\t")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// drawing is a graph for gonum's encoder: clusters, each a drawing, and nodes.
type drawing struct {
	*simple.DirectedGraph
	name, title string
	parts       []dot.Graph
	defaults    bool // sets how nodes and edges look
}

func newDrawing(name, title string) *drawing {
	return &drawing{DirectedGraph: simple.NewDirectedGraph(), name: name, title: title}
}

func (d *drawing) DOTID() string          { return dotQuote(d.name) }
func (d *drawing) Structure() []dot.Graph { return d.parts }

// DOTAttributers implements dot.Attributers.
func (d *drawing) DOTAttributers() (graph, node, edge encoding.Attributer) {
	const font = "Helvetica,Arial,sans-serif"
	top := attributes{{"label", d.title}, {"labeljust", "l"}, {"fontname", font}, {"fontsize", "11"}}
	if !d.defaults {
		look := attributes{{"style", "rounded"}, {"color", "#bbbbbb"}}
		if d.title == "" {
			look = attributes{{"style", "invis"}}
		}
		return append(top, look...), attributes{}, attributes{}
	}
	return append(top, attributes{{"labelloc", "t"}, {"rankdir", "TB"}, {"ranksep", "0.35"}, {"nodesep", "0.25"}}...),
		attributes{
			{"shape", "box"}, {"style", "filled,rounded"}, {"color", "#999999"},
			{"fontname", font}, {"fontsize", "10"}, {"margin", "0.12,0.06"},
		},
		attributes{{"color", "#999999"}, {"arrowsize", "0.6"}}
}

// attributes are names and values.
type attributes [][2]string

// Attributes implements encoding.Attributer.
func (a attributes) Attributes() []encoding.Attribute {
	var list []encoding.Attribute
	for _, x := range a {
		list = append(list, encoding.Attribute{Key: x[0], Value: dotQuote(x[1])})
	}
	return list
}

// drawn is the drawing of a graph.
type drawn struct {
	*drawing
	graph     *idg.Graph
	pipelines []string // by class, at id - 1
	fills     map[string]string
	lines     []string
	costs     idg.Costs
	length    func(int64) string
	nodes     int64
}

func newDOT(g *idg.Graph, o DOTOptions) *drawn {
	d := &drawn{drawing: newDrawing(g.Kernel, "kernel "+g.Kernel), graph: g, costs: o.Costs, length: o.Length}
	d.lines = strings.Split(g.Source.Text, "\n")
	if g.Source.File != "" {
		d.title += " of " + g.Source.File
	}
	d.defaults = true
	for i := range g.Instrs() {
		name := ""
		if o.Pipeline != nil {
			name = o.Pipeline(idg.InstrID(i + 1))
		} else {
			name = kindOf(&g.Instrs()[i])
		}
		d.pipelines = append(d.pipelines, name)
	}
	d.fills = fillsOf(d.pipelines)
	if d.costs.Completion == nil {
		d.costs = idg.UnitCosts()
	}
	if d.length == nil {
		d.length = func(n int64) string { return plural(n, "instruction") }
	}
	return d
}

// add adds a program as a cluster of clusters.
func (d *drawn) add(i int, k *kind, o *outline) {
	title := fmt.Sprintf("%s: %s", warpList(k.warps), plural(k.program.Len(), "instruction"))
	if int64(len(o.boxes)) < k.program.Len() {
		title += fmt.Sprintf(" in %s", plural(int64(len(o.boxes)), "node"))
	}
	title += "; critical path (thick): " + d.length(o.length)
	cluster := newDrawing(fmt.Sprintf("cluster_%d", i), title)
	var passes []*drawing
	for k, name := range o.passes {
		pass := newDrawing(fmt.Sprintf("cluster_%d_%d", i, k), name)
		passes = append(passes, pass)
		cluster.parts = append(cluster.parts, pass)
	}
	first := d.nodes
	for k, b := range o.boxes {
		id := first + int64(k)
		name := fmt.Sprintf("p%dn%d", i, k)
		passes[b.pass].AddNode(dotNode{id, name, d.looks(b)})
		cluster.AddNode(dotNode{id: id, name: name})
	}
	for _, a := range o.arrows {
		cluster.SetEdge(dotEdge{cluster.Node(first + int64(a.from)), cluster.Node(first + int64(a.to)), a.looks()})
	}
	d.nodes += int64(len(o.boxes))
	d.parts = append(d.parts, cluster)
}

// dotNode is a node with its attributes.
type dotNode struct {
	id   int64
	name string
	attributes
}

func (n dotNode) ID() int64     { return n.id }
func (n dotNode) DOTID() string { return n.name }

// dotEdge is an edge with its attributes.
type dotEdge struct {
	from, to graph.Node
	attributes
}

func (e dotEdge) From() graph.Node         { return e.from }
func (e dotEdge) To() graph.Node           { return e.to }
func (e dotEdge) ReversedEdge() graph.Edge { return e }

// sourceWidth is how much of a source line is shown.
const sourceWidth = 36

// looks are the attributes of a box.
func (d *drawn) looks(b *box) attributes {
	var lines []string
	switch {
	case b.other:
		lines = append(lines, "other lines")
	case b.pos.IsValid() && b.pos.File == d.graph.Source.File:
		lines = append(lines, fmt.Sprintf("line %d", b.pos.Line))
		if text := d.source(b.pos.Line); text != "" {
			lines = append(lines, text)
		}
	case b.pos.IsValid():
		lines = append(lines, b.pos.String())
	}
	switch {
	case b.pipeline != "" && len(lines) > 0:
		lines[0] = b.pipeline + ", " + lines[0]
	case b.pipeline != "":
		lines = append(lines, b.pipeline)
	}
	lines = append(lines, b.counts())
	if b.count > 1 && b.critical > 0 {
		lines = append(lines, fmt.Sprintf("%d on the critical path", b.critical))
	}
	a := attributes{
		{"label", strings.Join(lines, "\n")}, {"fillcolor", d.fills[b.pipeline]},
		{"count", strconv.FormatInt(b.count, 10)}, // Graphviz passes over it, programs read it
	}
	if access := d.graph.Access(b.access); access != nil && b.count == 1 {
		a = append(a, [2]string{"tooltip", access.Describe()})
	}
	if b.critical > 0 {
		a = append(a, attributes{
			{"color", "#222222"}, {"penwidth", "2.2"}, {"critical", strconv.FormatInt(b.critical, 10)},
		}...)
	}
	return a
}

// source is a line of the kernel's file, shortened.
func (d *drawn) source(line int) string {
	if line < 1 || line > len(d.lines) {
		return ""
	}
	text := []rune(strings.TrimSpace(d.lines[line-1]))
	if len(text) > sourceWidth {
		text = append(text[:sourceWidth-1], '…')
	}
	return string(text)
}

// shownOps is how many ops a box lists.
const shownOps = 3

// counts lists the ops of a box, the most frequent first.
func (b *box) counts() string {
	var ops []string
	for op := range b.ops {
		ops = append(ops, op)
	}
	slices.SortFunc(ops, func(x, y string) int { return cmp.Or(cmp.Compare(b.ops[y], b.ops[x]), cmp.Compare(x, y)) })
	if b.count == 1 {
		return ops[0]
	}
	var parts []string
	rest := b.count
	for _, op := range ops[:min(len(ops), shownOps)] {
		parts = append(parts, fmt.Sprintf("%d %s", b.ops[op], op))
		rest -= b.ops[op]
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d others", rest))
	}
	return strings.Join(parts, ", ")
}

// dotStyles are the looks of edges by kind.
var dotStyles = [...]string{idg.Data: "solid", idg.Control: "dashed", idg.Order: "dotted"}

// looks are the attributes of an arrow: the first kind that it has is drawn, all are told.
func (a *arrow) looks() attributes {
	var parts []string
	style := ""
	for k := idg.Data; k <= idg.Order; k++ {
		if a.kinds[k] > 0 {
			style = cmp.Or(style, dotStyles[k])
			parts = append(parts, fmt.Sprintf("%d %v", a.kinds[k], k))
		}
	}
	out := attributes{{"style", style}, {"tooltip", strings.Join(parts, ", ")}}
	if a.from > a.to { // of later passes that are drawn as one
		out = append(out, [2]string{"constraint", "false"})
	}
	if a.critical {
		out = append(out, attributes{{"color", "#222222"}, {"penwidth", "2.2"}}...)
	}
	return out
}

// dotQuote quotes a string. Graphviz knows no escapes but \" in a string and,
// in labels, \\ and \n. Other control characters become blanks.
func dotQuote(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
	return `"` + strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s) + `"`
}

// sourceLine is a position without its column.
func sourceLine(p idg.Pos) idg.Pos { return idg.Pos{File: p.File, Line: p.Line} }
