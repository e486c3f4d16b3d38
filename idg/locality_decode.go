package idg

import "math"

func (d *decoder) locality() Locality {
	var l Locality
	d.object("the locality of a class", 3,
		field{"i", func() { l.Instr = InstrID(d.id(&d.classes)) }},
		field{"sectors", func() { l.Sectors = d.count("the number of sectors") }},
		field{"cold", func() { l.Cold = d.count("the number of sectors") }},
		field{"warp", func() { l.Warp = d.reuses() }},
		field{"group", func() { l.Group = d.reuses() }},
		field{"groups", func() {
			d.array("a list of reuses between groups", func(int) {
				var r GroupReuse
				d.object("a reuse between groups", 2,
					field{"groups", func() { r.Groups = d.integer("a number of groups", 1, math.MaxInt64) }},
					field{"sectors", func() { r.Sectors = d.count("the number of sectors") }},
					field{"distance", func() { r.Distance = d.integer("a distance in bytes", 0, math.MaxInt64) }})
				l.Groups = append(l.Groups, r)
			})
		}},
		field{"shared", func() { l.Shared = d.count("the number of sectors") }},
		field{"leading", func() { l.Leading = d.count("a number of sectors") }})
	return l
}

func (d *decoder) reuses() []Reuse {
	var list []Reuse
	d.array("a list of reuses", func(int) {
		var r Reuse
		d.object("a reuse", 2,
			field{"distance", func() { r.Distance = d.integer("a distance in bytes", SectorBytes, math.MaxInt64) }},
			field{"sectors", func() { r.Sectors = d.count("the number of sectors") }})
		list = append(list, r)
	})
	return list
}

func (d *decoder) footprint() *Footprint {
	d.places[partFootprint] = append(d.places[partFootprint], d.place())
	f := &Footprint{}
	d.object("the footprint", 4,
		field{"read_bytes", func() { f.ReadBytes = d.count("the number of bytes") }},
		field{"written_bytes", func() { f.WrittenBytes = d.count("the number of bytes") }},
		field{"launch_read_bytes", func() { f.LaunchReadBytes = d.count("the number of bytes") }},
		field{"launch_written_bytes", func() { f.LaunchWrittenBytes = d.count("the number of bytes") }},
		field{"sector_bytes", func() {
			f.SectorBytes = d.integer("the size of a sector", SectorBytes, MaxSectorBytes)
		}},
		field{"shared_bytes", func() { f.SharedBytes = d.count("the number of bytes") }},
		field{"line_bytes", func() { f.LineBytes = d.count("the number of bytes") }},
		field{"pair_bytes", func() { f.PairBytes = d.count("the number of bytes") }},
		field{"row_bytes", func() { f.RowBytes = d.count("the number of bytes") }},
		field{"plane_bytes", func() { f.PlaneBytes = d.count("the number of bytes") }},
		field{"unknown_bytes", func() { f.UnknownBytes = d.count("the number of bytes") }},
		field{"estimated", func() { f.Estimated = d.boolean("true or false") }},
		field{"sampled", func() {
			d.array("the list of groups", func(int) { f.Sampled = append(f.Sampled, d.count("a group")) })
		}})
	return f
}
