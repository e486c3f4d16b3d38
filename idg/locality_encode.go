package idg

// locality writes the members on locality, if there are any, with a comma after
// each.
func (e *encoder) locality(g *Graph) {
	if g.Locality != nil {
		writeList(e, "locality", g.Locality, e.reuses)
		e.raw(",\n")
	}
	if f := g.Footprint; f != nil {
		e.raw(`"footprint":{`)
		if f.SectorBytes != 0 {
			e.number("sector_bytes", f.SectorBytes)
		}
		e.number("read_bytes", f.ReadBytes)
		e.number("written_bytes", f.WrittenBytes)
		e.number("launch_read_bytes", f.LaunchReadBytes)
		e.number("launch_written_bytes", f.LaunchWrittenBytes)
		if f.SharedBytes != 0 {
			e.number("shared_bytes", f.SharedBytes)
		}
		if f.RowBytes != 0 {
			e.number("row_bytes", f.RowBytes)
		}
		if f.PlaneBytes != 0 {
			e.number("plane_bytes", f.PlaneBytes)
		}
		e.boolean("estimated", f.Estimated)
		e.numbers("sampled", f.Sampled)
		e.raw("},\n")
	}
}

func (e *encoder) reuses(l *Locality) {
	e.number("i", int64(l.Instr))
	e.number("sectors", l.Sectors)
	writePairs(e, "warp", "distance", l.Warp, func(r Reuse) (int64, int64) { return r.Distance, r.Sectors })
	writePairs(e, "group", "distance", l.Group, func(r Reuse) (int64, int64) { return r.Distance, r.Sectors })
	writePairs(e, "groups", "groups", l.Groups, func(r GroupReuse) (int64, int64) { return r.Groups, r.Sectors })
	e.number("cold", l.Cold)
	if l.Shared != 0 {
		e.number("shared", l.Shared)
	}
}

// writePairs writes a list of counts of sectors by another number.
func writePairs[T any](e *encoder, k, by string, list []T, numbers func(T) (by, sectors int64)) {
	e.key(k)
	e.raw("[")
	for i, x := range list {
		if i > 0 {
			e.raw(",")
		}
		e.raw("{")
		n, sectors := numbers(x)
		e.number(by, n)
		e.number("sectors", sectors)
		e.raw("}")
	}
	e.raw("]")
}
