package idg

import (
	"math"

	"gpupipe/idg/isa"
)

// members are those of a document behind its format and version. fold is an option of Encode.
func (g *Graph) members(fold bool) []keyed {
	launch := object("launch", "the launch", &g.Launch, (*Launch).members)
	launch.read = func(d *decoder) {
		start := d.startOf()
		if g.Launch = read(d, "the launch", (*Launch).members); d.err != nil {
			return
		}
		if v := verifyLaunch(&g.Launch); v != nil {
			d.fail(start, CodeBroken, "%s", v.text)
		}
	}
	accesses := lines("accesses", "the list of accesses", "an access", &g.accesses, partAccess, (*Access).members)
	instrs := lines("instructions", "the list of instruction classes", "an instruction class", &g.instrs, partInstr,
		(*Instr).members)
	locality := lines("locality", "the list of localities", "the locality of a class", &g.Locality, partLocality,
		(*Locality).members).optional()
	kinds := lines("kinds", "the list of kinds of groups", "a kind of group", &g.kinds, partKind,
		func(k *Kind) []keyed { return k.members(fold) })
	kinds.zero = len(g.kinds) == 0
	return []keyed{
		object("source", "the source", &g.Source, (*Source).members).required(),
		text("kernel", "the kernel's name", &g.Kernel).required(),
		text("level", "the level", &g.Level).required(),
		text("compiler", "the compiler", &g.Compiler).required(),
		boolean("machine_code", &g.MachineCode).optional(),
		text("gpu", "the device that the graph is made for", &g.GPU).optional(),
		text("capability", "the architecture that the graph is made for", &g.Capability).optional(),
		text("variant", "what the graph differs in from the one before", &g.Variant).optional(),
		launch.required(),
		object("resources", "the resources", &g.Resources, (*Resources).members).required(),
		lines("loops", "the list of loops", "a loop", &g.Loops, partLoop, (*Loop).members).required(),
		lines("branches", "the list of branches", "a branch", &g.Branches, partBranch, (*Branch).members).required(),
		lines("notes", "the list of notes", "a note", &g.Notes, partNote, (*Note).members).required(),
		accesses.then(func(d *decoder) { d.define(&d.patterns, len(g.accesses)) }).required(),
		instrs.then(func(d *decoder) { d.define(&d.classes, len(g.instrs)) }).required(),
		locality.then(func(*decoder) { g.Locality = append([]Locality{}, g.Locality...) }),
		pointer("footprint", "the footprint", &g.Footprint, partFootprint, (*Footprint).members),
		programs(&g.programs, partProgram, fold),
		kinds.optional(),
	}
}

// programs are those of a kind of group.
func programs(v *[]*Program, p part, fold bool) keyed {
	return keyed{key: "warps", must: true, read: func(d *decoder) {
		d.array("the list of programs", func(int) {
			d.places[p] = append(d.places[p], d.place())
			*v = append(*v, d.program())
		})
	}, write: func(e *encoder) { writeList(e, *v, func(p **Program) { e.program(*p, fold) }) }}
}

func (s *Source) members() []keyed {
	return []keyed{
		text("file", "the source file's name", &s.File).required(),
		text("dialect", "the dialect", &s.Dialect),
		text("sha256", "the checksum", &s.SHA256),
		inLine("defines", "the list of defines", &s.Defines, func(d *decoder) string { return d.text("a define") },
			func(e *encoder, s *string) { e.text(*s) }),
		text("text", "the source text", &s.Text),
	}
}

func (l *Launch) members() []keyed {
	return []keyed{
		extents("local", "the local size", &l.Local).required(),
		extents("groups", "the number of groups", &l.Groups).required(),
		small("warp_size", "the warp size", &l.WarpSize).required(),
		lines("args", "the list of arguments", "an argument", &l.Args, 0, (*Arg).members),
	}
}

func (a *Arg) members() []keyed {
	return []keyed{
		text("name", "an argument's name", &a.Name).required(),
		text("value", "an argument's value", &a.Value).required(),
		boolean("assumed", &a.Assumed),
	}
}

func (r *Resources) members() []keyed {
	return []keyed{
		byteCount("local_bytes", &r.LocalBytes),
		small("registers", "the number of registers", &r.Registers),
		boolean("registers_estimated", &r.RegistersEstimated),
		byteCount("private_bytes", &r.PrivateBytes).optional(),
		byteCount("spilled_bytes", &r.SpilledBytes).optional(),
		small("unbounded_registers", "the number of registers", &r.Unbounded).optional(),
	}
}

func (l *Loop) members() []keyed {
	return []keyed{
		text("kind", "the loop's kind", &l.Kind),
		position(&l.Pos),
		small("depth", "the depth", &l.Depth),
		text("pragma", "the pragma", &l.Pragma).optional(),
		number("trips", "the trip count", &l.Trips, -1, math.MaxInt64),
		text("origin", "the trip count's origin", &l.Origin),
		count("executed", "the number of executions", &l.Executed),
		count("factor", "the unroll factor", &l.Factor),
		boolean("full", &l.Full),
		count("remainder", "the remainder", &l.Remainder),
		text("reason", "the reason", &l.Reason),
	}
}

func (b *Branch) members() []keyed {
	return []keyed{
		text("kind", "the branch's kind", &b.Kind),
		position(&b.Pos),
		text("decision", "the decision", &b.Decision),
		text("origin", "the decision's origin", &b.Origin),
		count("executed", "the number of executions", &b.Executed),
		pointer("divergence", "the divergence of a branch", &b.Divergence, 0, (*Divergence).members),
	}
}

func (d *Divergence) members() []keyed {
	return []keyed{
		count("warps", "the number of warps", &d.Warps).required(),
		count("diverged_warps", "the number of warps", &d.DivergedWarps).required(),
		count("executions", "the number of executions", &d.Executions).required(),
		count("diverged", "the number of executions", &d.Diverged).required(),
		count("lanes", "the number of lanes", &d.Lanes).required(),
	}
}

func (n *Note) members() []keyed {
	return []keyed{
		text("code", "the note's code", &n.Code).required(),
		text("text", "the note's text", &n.Text).required(),
		text("advice", "the note's advice", &n.Advice).optional(),
		position(&n.Pos),
	}
}

func (a *Access) members() []keyed {
	offsets := numberList("offsets", "the list of offsets", "an offset in bytes", &a.Offsets).optional()
	offsets.read = func(d *decoder) {
		at := d.startOf()
		d.array("the list of offsets", func(i int) {
			if i == MaxWarpSize {
				d.fail(d.pos(), CodeBroken, "an access has offsets for more than %d lanes", MaxWarpSize)
			}
			a.Offsets = append(a.Offsets, d.integer("an offset in bytes", 0, maxOffset))
		})
		if len(a.Offsets) == 0 {
			d.fail(at, CodeBroken, "a known access has the offset of one lane at least")
		}
	}
	return []keyed{
		{key: "space", must: true, read: func(d *decoder) {
			at := d.startOf()
			name := d.text("the address space")
			if a.Space = isa.SpaceNamed(name); a.Space == 0 {
				d.fail(at, CodeBroken, "there is no address space %q", name)
			}
		}, write: func(e *encoder) { e.text(a.Space.String()) }},
		number("width", "the width in bytes", &a.Width, 1, math.MaxUint16).required(),
		boolean("store", &a.Store),
		text("buffer", "the buffer's name", &a.Buffer).optional(),
		offsets,
		text("assumed", "the reason", &a.Assumed).optional(),
		number("within", "a number of bytes", &a.Within, 0, maxOffset).optional(),
		number("near", "a number of bytes", &a.Near, 0, maxOffset).optional(),
		number("places", "a number of places", &a.Places, 0, MaxWarpSize).optional(),
		boolean("same", &a.Same).optional(),
	}
}

func (in *Instr) members() []keyed {
	return []keyed{
		text("op", "the op", &in.Op).required(),
		text("type", "the type", &in.Type).optional(),
		id("access", &in.Access, func(d *decoder) *reference { return &d.patterns }).optional(),
		number("lanes", "the number of lanes", &in.Lanes, 1, MaxWarpSize).required(),
		position(&in.Pos),
	}
}

func (l *Locality) members() []keyed {
	return []keyed{
		id("i", &l.Instr, func(d *decoder) *reference { return &d.classes }).required(),
		count("sectors", "the number of sectors", &l.Sectors).required(),
		objects("warp", "a list of reuses", "a reuse", &l.Warp, (*Reuse).members),
		objects("group", "a list of reuses", "a reuse", &l.Group, (*Reuse).members),
		objects("groups", "a list of reuses between groups", "a reuse between groups", &l.Groups,
			(*GroupReuse).members),
		count("cold", "the number of sectors", &l.Cold).required(),
		count("shared", "the number of sectors", &l.Shared).optional(),
		count("leading", "a number of sectors", &l.Leading).optional(),
	}
}

func (r *Reuse) members() []keyed {
	return []keyed{
		number("distance", "a distance in bytes", &r.Distance, SectorBytes, math.MaxInt64).required(),
		count("sectors", "the number of sectors", &r.Sectors).required(),
	}
}

func (r *GroupReuse) members() []keyed {
	return []keyed{
		number("groups", "a number of groups", &r.Groups, 1, math.MaxInt64).required(),
		count("sectors", "the number of sectors", &r.Sectors).required(),
		count("distance", "a distance in bytes", &r.Distance).optional(),
		boolean("ahead", &r.Ahead).optional(),
		boolean("in_step", &r.InStep).optional(),
	}
}

func (f *Footprint) members() []keyed {
	return []keyed{
		number("sector_bytes", "the size of a sector", &f.SectorBytes, SectorBytes, MaxSectorBytes).optional(),
		byteCount("read_bytes", &f.ReadBytes).required(),
		byteCount("written_bytes", &f.WrittenBytes).required(),
		byteCount("launch_read_bytes", &f.LaunchReadBytes).required(),
		byteCount("launch_written_bytes", &f.LaunchWrittenBytes).required(),
		byteCount("shared_bytes", &f.SharedBytes).optional(),
		byteCount("line_bytes", &f.LineBytes).optional(),
		byteCount("pair_bytes", &f.PairBytes).optional(),
		byteCount("row_bytes", &f.RowBytes).optional(),
		byteCount("plane_bytes", &f.PlaneBytes).optional(),
		byteCount("unknown_bytes", &f.UnknownBytes).optional(),
		boolean("estimated", &f.Estimated),
		numberList("sampled", "the list of groups", "a group", &f.Sampled),
	}
}
