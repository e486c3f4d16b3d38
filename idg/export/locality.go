package export

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
)

// writeLocality writes, for each operation of the source that touches memory, where
// its sectors were touched before, and the footprint.
func writeLocality(b *bufio.Writer, g *idg.Graph) {
	list := localityByPlace(g)
	section(b, fmt.Sprintf("locality (sectors of %d bytes that one group requests)", g.SectorBytes()), len(list))
	for i := range list {
		l := &list[i]
		fmt.Fprintf(b, "  %-40s %10d", placed(l.pos, l.op), l.Sectors)
		part := func(name string, sectors int64, where string) {
			if sectors > 0 {
				fmt.Fprintf(b, ", %.1f%% %s%s", 100*float64(sectors)/float64(l.Sectors), name, where)
			}
		}
		part("by the warp", sum(l.Warp), within(l.Warp))
		part("by the group", sum(l.Group), within(l.Group))
		var sectors int64
		for _, r := range l.Groups {
			sectors += r.Sectors
		}
		part("by earlier groups", sectors, back(l.Groups))
		part("new", l.Cold, "")
		b.WriteByte('\n')
	}
	f := g.Footprint
	if f == nil {
		return
	}
	section(b, "footprint (device memory at known addresses)", 1)
	shared := ""
	if f.SharedBytes > 0 {
		shared = fmt.Sprintf("; all groups touch %d of these", f.SharedBytes)
	}
	fmt.Fprintf(b, "  group            %s read, %s written%s\n", plural(f.ReadBytes, "byte"),
		plural(f.WrittenBytes, "byte"), shared)
	estimated := ""
	if f.Estimated {
		estimated = fmt.Sprintf(" (estimated from %s)", plural(int64(len(f.Sampled)), "group"))
	}
	fmt.Fprintf(b, "  launch           %s read, %s written%s\n", plural(f.LaunchReadBytes, "byte"),
		plural(f.LaunchWrittenBytes, "byte"), estimated)
}

// placeLocality is the locality of one operation of the source.
type placeLocality struct {
	idg.Locality
	pos idg.Pos
	op  string
}

// localityByPlace sums up the locality of classes that differ in their access
// patterns only, in the order of the source.
func localityByPlace(g *idg.Graph) []placeLocality {
	type key struct {
		pos idg.Pos
		op  string
	}
	index := map[key]int{}
	var list []placeLocality
	for i := range g.Locality {
		l := &g.Locality[i]
		in := g.Instr(l.Instr)
		k := key{in.Pos, in.Op}
		n, ok := index[k]
		if !ok {
			n = len(list)
			index[k] = n
			list = append(list, placeLocality{pos: in.Pos, op: in.Op})
		}
		to := &list[n]
		to.Sectors, to.Cold = to.Sectors+l.Sectors, to.Cold+l.Cold
		to.Warp, to.Group, to.Groups = slices.Concat(to.Warp, l.Warp), slices.Concat(to.Group, l.Group),
			slices.Concat(to.Groups, l.Groups)
	}
	slices.SortStableFunc(list, func(a, b placeLocality) int {
		return cmp.Or(strings.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line),
			cmp.Compare(a.pos.Column, b.pos.Column))
	})
	return list
}

func sum(list []idg.Reuse) int64 {
	var n int64
	for _, r := range list {
		n += r.Sectors
	}
	return n
}

// within says what a cache must hold for all reuses of a list.
func within(list []idg.Reuse) string {
	most := int64(0)
	for _, r := range list {
		most = max(most, r.Distance)
	}
	return fmt.Sprintf(" within %d bytes", most)
}

// back says how far back the groups of a list are.
func back(list []idg.GroupReuse) string {
	if len(list) == 0 {
		return ""
	}
	byGroups := func(a, b idg.GroupReuse) int { return cmp.Compare(a.Groups, b.Groups) }
	least, most := slices.MinFunc(list, byGroups).Groups, slices.MaxFunc(list, byGroups).Groups
	if least == most {
		return fmt.Sprintf(" (%d back)", least)
	}
	return fmt.Sprintf(" (%d to %d back)", least, most)
}
