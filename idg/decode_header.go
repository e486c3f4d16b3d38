package idg

import (
	"math"

	"gpupipe/idg/isa"
)

// count reads a number that cannot be negative.
func (d *decoder) count(what string) int64 { return d.integer(what, 0, math.MaxInt64) }

// small reads a number that fits in an int on every machine.
func (d *decoder) small(what string) int { return int(d.integer(what, 0, math.MaxInt32)) }

func (d *decoder) source(s *Source) {
	d.object("the source", 1,
		field{"file", func() { s.File = d.text("the source file's name") }},
		field{"dialect", func() { s.Dialect = d.text("the dialect") }},
		field{"sha256", func() { s.SHA256 = d.text("the checksum") }},
		field{"defines", func() {
			d.array("the list of defines", func(int) { s.Defines = append(s.Defines, d.text("a define")) })
		}},
		field{"text", func() { s.Text = d.text("the source text") }})
}

func (d *decoder) launch(l *Launch) {
	start := d.startOf()
	d.object("the launch", 3,
		field{"local", func() { l.Local = d.sizes("the local size") }},
		field{"groups", func() { l.Groups = d.sizes("the number of groups") }},
		field{"warp_size", func() { l.WarpSize = d.small("the warp size") }},
		field{"args", func() { d.array("the list of arguments", func(int) { l.Args = append(l.Args, d.arg()) }) }})
	if d.err == nil {
		if v := verifyLaunch(l); v != nil {
			d.fail(start, CodeBroken, "%s", v.text)
		}
	}
}

// sizes reads three numbers, one for each dimension.
func (d *decoder) sizes(what string) [3]int64 {
	var out [3]int64
	start := d.startOf()
	n := 0
	d.array(what, func(i int) {
		if size := d.count(what); i < len(out) {
			out[i] = size
		}
		n = i + 1
	})
	if n != len(out) {
		d.fail(start, CodeBroken, "%s has %d dimensions, not 3", what, n)
	}
	return out
}

func (d *decoder) arg() Arg {
	var a Arg
	d.object("an argument", 2,
		field{"name", func() { a.Name = d.text("an argument's name") }},
		field{"value", func() { a.Value = d.text("an argument's value") }},
		field{"assumed", func() { a.Assumed = d.boolean("true or false") }})
	return a
}

func (d *decoder) resources(r *Resources) {
	d.object("the resources", 0,
		field{"local_bytes", func() { r.LocalBytes = d.count("the number of bytes") }},
		field{"registers", func() { r.Registers = d.small("the number of registers") }},
		field{"registers_estimated", func() { r.RegistersEstimated = d.boolean("true or false") }},
		field{"private_bytes", func() { r.PrivateBytes = d.count("the number of bytes") }},
		field{"spilled_bytes", func() { r.SpilledBytes = d.count("the number of bytes") }},
		field{"unbounded_registers", func() { r.Unbounded = d.small("the number of registers") }})
}

func (d *decoder) position() Pos {
	var p Pos
	d.object("a position", 2,
		field{"file", func() { p.File = d.text("a file name") }},
		field{"line", func() { p.Line = d.small("the line") }},
		field{"column", func() { p.Column = d.small("the column") }})
	return p
}

func (d *decoder) loop() Loop {
	var l Loop
	d.object("a loop", 0,
		field{"pos", func() { l.Pos = d.position() }},
		field{"kind", func() { l.Kind = d.text("the loop's kind") }},
		field{"depth", func() { l.Depth = d.small("the depth") }},
		field{"pragma", func() { l.Pragma = d.text("the pragma") }},
		field{"trips", func() { l.Trips = d.integer("the trip count", -1, math.MaxInt64) }},
		field{"origin", func() { l.Origin = d.text("the trip count's origin") }},
		field{"executed", func() { l.Executed = d.count("the number of executions") }},
		field{"factor", func() { l.Factor = d.count("the unroll factor") }},
		field{"full", func() { l.Full = d.boolean("true or false") }},
		field{"remainder", func() { l.Remainder = d.count("the remainder") }},
		field{"reason", func() { l.Reason = d.text("the reason") }})
	return l
}

func (d *decoder) branch() Branch {
	var b Branch
	d.object("a branch", 0,
		field{"pos", func() { b.Pos = d.position() }},
		field{"kind", func() { b.Kind = d.text("the branch's kind") }},
		field{"decision", func() { b.Decision = d.text("the decision") }},
		field{"origin", func() { b.Origin = d.text("the decision's origin") }},
		field{"executed", func() { b.Executed = d.count("the number of executions") }},
		field{"divergence", func() { b.Divergence = d.divergence() }})
	return b
}

func (d *decoder) note() Note {
	var n Note
	d.object("a note", 2,
		field{"code", func() { n.Code = d.text("the note's code") }},
		field{"text", func() { n.Text = d.text("the note's text") }},
		field{"pos", func() { n.Pos = d.position() }},
		field{"advice", func() { n.Advice = d.text("the note's advice") }})
	return n
}

func (d *decoder) access() Access {
	var a Access
	d.object("an access", 2,
		field{"space", func() {
			at := d.startOf()
			name := d.text("the address space")
			if a.Space = isa.SpaceNamed(name); a.Space == 0 {
				d.fail(at, CodeBroken, "there is no address space %q", name)
			}
		}},
		field{"width", func() { a.Width = uint16(d.integer("the width in bytes", 1, math.MaxUint16)) }},
		field{"store", func() { a.Store = d.boolean("true or false") }},
		field{"buffer", func() { a.Buffer = d.text("the buffer's name") }},
		field{"offsets", func() {
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
		}},
		field{"assumed", func() { a.Assumed = d.text("the reason") }},
		field{"within", func() { a.Within = d.integer("a number of bytes", 0, maxOffset) }},
		field{"near", func() { a.Near = d.integer("a number of bytes", 0, maxOffset) }},
		field{"places", func() { a.Places = d.integer("a number of places", 0, MaxWarpSize) }},
		field{"same", func() { a.Same = d.boolean("true or false") }})
	return a
}

func (d *decoder) instr() Instr {
	var in Instr
	d.object("an instruction class", 2,
		field{"op", func() { in.Op = d.text("the op") }},
		field{"lanes", func() { in.Lanes = uint8(d.integer("the number of lanes", 1, MaxWarpSize)) }},
		field{"type", func() { in.Type = d.text("the type") }},
		field{"access", func() { in.Access = AccessID(d.id(&d.patterns)) }},
		field{"pos", func() { in.Pos = d.position() }})
	return in
}
