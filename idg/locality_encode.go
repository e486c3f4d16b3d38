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
		if f.LineBytes != 0 {
			e.number("line_bytes", f.LineBytes)
		}
		if f.PairBytes != 0 {
			e.number("pair_bytes", f.PairBytes)
		}
		if f.RowBytes != 0 {
			e.number("row_bytes", f.RowBytes)
		}
		if f.PlaneBytes != 0 {
			e.number("plane_bytes", f.PlaneBytes)
		}
		if f.UnknownBytes != 0 {
			e.number("unknown_bytes", f.UnknownBytes)
		}
		e.boolean("estimated", f.Estimated)
		e.numbers("sampled", f.Sampled)
		e.raw("},\n")
	}
}

func (e *encoder) reuses(l *Locality) {
	e.number("i", int64(l.Instr))
	e.number("sectors", l.Sectors)
	reuse := func(r Reuse) {
		e.number("distance", r.Distance)
		e.number("sectors", r.Sectors)
	}
	writeObjects(e, "warp", l.Warp, reuse)
	writeObjects(e, "group", l.Group, reuse)
	writeObjects(e, "groups", l.Groups, func(r GroupReuse) {
		e.number("groups", r.Groups)
		e.number("sectors", r.Sectors)
		if r.Distance != 0 {
			e.number("distance", r.Distance)
		}
	})
	e.number("cold", l.Cold)
	if l.Shared != 0 {
		e.number("shared", l.Shared)
	}
	if l.Leading != 0 {
		e.number("leading", l.Leading)
	}
}

// writeObjects writes a list of objects in a line.
func writeObjects[T any](e *encoder, k string, list []T, members func(T)) {
	e.key(k)
	e.raw("[")
	for i, x := range list {
		if i > 0 {
			e.raw(",")
		}
		e.raw("{")
		members(x)
		e.raw("}")
	}
	e.raw("]")
}
