package export

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"gpupipe/idg"
)

// graphmlKeys declares the attributes of nodes and edges.
var graphmlKeys = [...]struct{ id, scope, typ string }{
	{"kernel", "graph", "string"},
	{"warps", "node", "string"},
	{"op", "node", "string"},
	{"type", "node", "string"},
	{"lanes", "node", "int"},
	{"access", "node", "string"},
	{"file", "node", "string"},
	{"line", "node", "int"},
	{"column", "node", "int"},
	{"kind", "edge", "string"},
}

// GraphML writes the graph as GraphML: one graph element with the programs side by side, as many readers take
// the first element alone. A node's id is pPnN, N in program order. Nodes carry the warps that execute
// them, op, type, lanes, the access pattern in words and the source position; edges run from the producer to what
// waits for it and carry their kind. A program of more than MaxExpanded instructions is an error.
func GraphML(w io.Writer, g *idg.Graph) error {
	b := bufio.NewWriter(w)
	b.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	for _, k := range graphmlKeys {
		fmt.Fprintf(b, "<key id=%q for=%q attr.name=%q attr.type=%q/>\n", k.id, k.scope, k.id, k.typ)
	}
	fmt.Fprintf(b, "<graph id=\"idg\" edgedefault=\"directed\">\n<data key=\"kernel\">%s</data>\n", xmlText(g.Kernel))
	for i, p := range g.Programs() {
		if err := graphmlProgram(b, g, i, p); err != nil {
			return err
		}
	}
	b.WriteString("</graph>\n</graphml>\n")
	return b.Flush()
}

// graphmlProgram writes the nodes and edges of a program.
func graphmlProgram(b *bufio.Writer, g *idg.Graph, i int, p *idg.Program) error {
	f, err := p.Expanded(idg.MaxExpanded)
	if err != nil {
		return err
	}
	warps := ranges(p.Warps, 2)
	for v := range idg.NodeID(f.Len()) {
		fmt.Fprintf(b, "<node id=\"p%dn%d\"><data key=\"warps\">%s</data>", i, v, warps)
		nodeData(b, g, g.Instr(f.Instr(v)))
		b.WriteString("</node>\n")
	}
	for v := range idg.NodeID(f.Len()) {
		from, kind := f.Preds(v)
		for e, u := range from {
			fmt.Fprintf(b, "<edge source=\"p%dn%d\" target=\"p%dn%d\"><data key=\"kind\">%s</data></edge>\n", i, u, i,
				v, kind[e])
		}
	}
	return nil
}

// nodeData writes a node's attributes, leaving out what it does not have.
func nodeData(b *bufio.Writer, g *idg.Graph, in *idg.Instr) {
	data := func(key string, value any) { fmt.Fprintf(b, `<data key="%s">%v</data>`, key, value) }
	data("op", xmlText(in.Op))
	if in.Type != "" {
		data("type", xmlText(in.Type))
	}
	data("lanes", in.Lanes)
	if a := g.Access(in.Access); a != nil {
		data("access", xmlText(a.Describe()))
	}
	if !in.Pos.IsValid() {
		return
	}
	data("file", xmlText(in.Pos.File))
	data("line", in.Pos.Line)
	if in.Pos.Column > 0 {
		data("column", in.Pos.Column)
	}
}

// xmlText escapes text; characters that XML cannot hold become U+FFFD.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder does not fail
	return b.String()
}
