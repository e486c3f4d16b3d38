package idg

import "math"

var (
	localityShape = shape{"the locality of a class", 3, []string{"i", "sectors", "cold", "warp", "group",
		"groups", "shared"}}
	reuseShape     = shape{"a reuse", 2, []string{"distance", "sectors"}}
	groupsShape    = shape{"a reuse between groups", 2, []string{"groups", "sectors", "distance"}}
	footprintShape = shape{"the footprint", 4, []string{
		"read_bytes", "written_bytes", "launch_read_bytes", "launch_written_bytes", "sector_bytes", "shared_bytes",
		"row_bytes", "plane_bytes", "unknown_bytes", "estimated", "sampled"}}
)

func (d *decoder) locality() Locality {
	var l Locality
	d.object(&localityShape, func(key string) {
		switch key {
		case "i":
			l.Instr = InstrID(d.id(&d.classes))
		case "sectors":
			l.Sectors = d.count("the number of sectors")
		case "warp":
			l.Warp = d.reuses()
		case "group":
			l.Group = d.reuses()
		case "groups":
			d.array("a list of reuses between groups", func(int) {
				var r GroupReuse
				d.object(&groupsShape, func(key string) {
					switch key {
					case "groups":
						r.Groups = d.integer("a number of groups", 1, math.MaxInt64)
					case "distance":
						r.Distance = d.integer("a distance in bytes", 0, math.MaxInt64)
					case "sectors":
						r.Sectors = d.count("the number of sectors")
					}
				})
				l.Groups = append(l.Groups, r)
			})
		case "cold":
			l.Cold = d.count("the number of sectors")
		case "shared":
			l.Shared = d.count("the number of sectors")
		}
	})
	return l
}

func (d *decoder) reuses() []Reuse {
	var list []Reuse
	d.array("a list of reuses", func(int) {
		var r Reuse
		d.object(&reuseShape, func(key string) {
			switch key {
			case "distance":
				r.Distance = d.integer("a distance in bytes", SectorBytes, math.MaxInt64)
			case "sectors":
				r.Sectors = d.count("the number of sectors")
			}
		})
		list = append(list, r)
	})
	return list
}

func (d *decoder) footprint() *Footprint {
	d.places[partFootprint] = append(d.places[partFootprint], d.place())
	f := &Footprint{}
	d.object(&footprintShape, func(key string) {
		switch key {
		case "sector_bytes":
			f.SectorBytes = d.integer("the size of a sector", SectorBytes, MaxSectorBytes)
		case "read_bytes":
			f.ReadBytes = d.count("the number of bytes")
		case "written_bytes":
			f.WrittenBytes = d.count("the number of bytes")
		case "launch_read_bytes":
			f.LaunchReadBytes = d.count("the number of bytes")
		case "launch_written_bytes":
			f.LaunchWrittenBytes = d.count("the number of bytes")
		case "shared_bytes":
			f.SharedBytes = d.count("the number of bytes")
		case "row_bytes":
			f.RowBytes = d.count("the number of bytes")
		case "plane_bytes":
			f.PlaneBytes = d.count("the number of bytes")
		case "unknown_bytes":
			f.UnknownBytes = d.count("the number of bytes")
		case "estimated":
			f.Estimated = d.boolean("true or false")
		case "sampled":
			d.array("the list of groups", func(int) { f.Sampled = append(f.Sampled, d.count("a group")) })
		}
	})
	return f
}
