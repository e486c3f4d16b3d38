package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gpupipe/idg"
)

// dotStyles are the looks of edges by kind.
var dotStyles = [...]string{idg.Data: "solid", idg.Control: "dashed", idg.Order: "dotted"}

// DOT writes the graph in Graphviz's language, one cluster for each
// program. Nodes show their number, op and source line, edges run from the
// producer to what waits for it: solid for data, dashed for control, dotted for
// order. A program of more than MaxExpanded instructions is an error.
func DOT(w io.Writer, g *idg.Graph) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph %s {\n\tnode [shape=box, fontname=monospace];\n", dotQuote(g.Kernel))
	for i, p := range g.Programs() {
		f, err := p.Expanded(idg.MaxExpanded)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\tsubgraph cluster_%d {\n\t\tlabel=%s;\n", i, dotQuote(warpList(p)))
		for v := range idg.NodeID(f.Len()) {
			in := g.Instr(f.Instr(v))
			label := fmt.Sprintf("%d: %s", v, in.Op)
			if in.Type != "" {
				label += " " + in.Type
			}
			if in.Pos.IsValid() {
				label += "\n" + sourceLine(in.Pos).String()
			}
			fmt.Fprintf(b, "\t\tp%dn%d [label=%s", i, v, dotQuote(label))
			if a := g.Access(in.Access); a != nil {
				fmt.Fprintf(b, ", tooltip=%s", dotQuote(a.Describe()))
			}
			b.WriteString("];\n")
		}
		b.WriteString("\t}\n")
		for v := range idg.NodeID(f.Len()) {
			from, kind := f.Preds(v)
			for e, u := range from {
				fmt.Fprintf(b, "\tp%dn%d -> p%dn%d [style=%s];\n", i, u, i, v, dotStyles[kind[e]])
			}
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

// dotQuote quotes a string. Graphviz knows no escapes but \" in a string and,
// in labels, \\ and \n.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\x00", "").Replace(s) + `"`
}

// sourceLine is a position without its column.
func sourceLine(p idg.Pos) idg.Pos { return idg.Pos{File: p.File, Line: p.Line} }
