package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gpupipe/idg"
)

// Text writes a listing to read: what the graph is of, then one line for
// each executed instruction with its number, op and type, source position, the
// instructions that it depends on, and its lanes and access pattern.
func Text(w io.Writer, g *idg.Graph) error {
	b := bufio.NewWriter(w)
	writeTitle(b, g)
	for _, p := range g.Programs() {
		fmt.Fprintf(b, "\n%s: %s, %s\n", warpList(p.Warps), plural(p.Len(), "instruction"),
			plural(p.Edges(), "dependence"))
		p.Walk(func(s idg.StaticID, v idg.Executed, from []idg.Executed, kind []idg.EdgeKind) bool {
			in := g.Instr(p.StaticInstr(s))
			op := in.Op
			if in.Type != "" {
				op += " " + in.Type
			}
			text := fmt.Sprintf("%7d  %-20s %-16s %-24s %s", v, op, in.Pos, dependences(from, kind),
				context(g, in))
			b.WriteString(strings.TrimRight(text, " "))
			b.WriteByte('\n')
			return true
		})
	}
	return b.Flush()
}

// writeTitle writes two lines: the kernel and its launch.
func writeTitle(b *bufio.Writer, g *idg.Graph) {
	fmt.Fprintf(b, "kernel %s of %s", g.Kernel, g.Source.File)
	for _, s := range []string{g.Source.Dialect, g.Level, g.Compiler} {
		if s != "" {
			fmt.Fprintf(b, ", %s", s)
		}
	}
	l := &g.Launch
	fmt.Fprintf(b, "\nlaunch %s, %s of %d lanes a group\n", l.Sizes(), plural(l.WarpsPerGroup(), "warp"), l.WarpSize)
}

// warpList names warps.
func warpList(warps []uint32) string {
	if len(warps) == 1 {
		return fmt.Sprintf("warp %d", warps[0])
	}
	return "warps " + ranges(warps, 2)
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// dependences lists what a node waits for by kind, runs of three or more nodes
// as first-last: "data 1,2 order 4-19".
func dependences[T ~int64 | ~uint32](from []T, kind []idg.EdgeKind) string {
	var parts []string
	for k := idg.Data; k <= idg.Order; k++ {
		var nodes []T
		for e, u := range from {
			if kind[e] == k {
				nodes = append(nodes, u)
			}
		}
		if len(nodes) > 0 {
			parts = append(parts, k.String()+" "+ranges(nodes, 3))
		}
	}
	return strings.Join(parts, " ")
}

// ranges prints ascending numbers, runs of at least the given length as
// first-last.
func ranges[T ~int64 | ~uint32](list []T, least int) string {
	var s strings.Builder
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j] == list[j-1]+1 {
			j++
		}
		if i > 0 {
			s.WriteByte(',')
		}
		if j-i >= least {
			fmt.Fprintf(&s, "%d-%d", list[i], list[j-1])
			i = j
		} else {
			fmt.Fprint(&s, list[i])
			i++
		}
	}
	return s.String()
}

// context describes what an instruction's lanes do: the access pattern with its
// buffer, or the number of lanes if some are masked.
func context(g *idg.Graph, in *idg.Instr) string {
	a := g.Access(in.Access)
	if a == nil {
		if int(in.Lanes) == g.Launch.WarpSize {
			return ""
		}
		return plural(int64(in.Lanes), "lane")
	}
	text := a.Describe()
	if !a.Known() {
		text = fmt.Sprintf("%s x %d B, %s", plural(int64(in.Lanes), "lane"), a.Width, text)
	}
	if a.Buffer != "" {
		return a.Buffer + ": " + text
	}
	return text
}
