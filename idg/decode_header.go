package idg

import (
	"math"

	"gpupipe/idg/isa"
)

// The objects of a document other than programs, with the keys they need first.
var (
	sourceShape    = shape{"the source", 1, []string{"file", "dialect", "sha256", "defines", "text"}}
	launchShape    = shape{"the launch", 3, []string{"local", "groups", "warp_size", "args"}}
	argShape       = shape{"an argument", 2, []string{"name", "value", "assumed"}}
	resourcesShape = shape{"the resources", 0, []string{"local_bytes", "registers", "registers_estimated",
		"private_bytes", "spilled_bytes"}}
	posShape  = shape{"a position", 2, []string{"file", "line", "column"}}
	loopShape = shape{"a loop", 0, []string{
		"pos", "kind", "depth", "pragma", "trips", "origin", "executed", "factor", "full", "remainder", "reason"}}
	branchShape = shape{"a branch", 0, []string{"pos", "kind", "decision", "origin", "executed", "divergence"}}
	noteShape   = shape{"a note", 2, []string{"code", "text", "pos", "advice"}}
	accessShape = shape{"an access", 2, []string{"space", "width", "store", "buffer", "offsets", "assumed", "same"}}
	instrShape  = shape{"an instruction class", 2, []string{"op", "lanes", "type", "access", "pos"}}
)

// count reads a number that cannot be negative.
func (d *decoder) count(what string) int64 { return d.integer(what, 0, math.MaxInt64) }

// small reads a number that fits in an int on every machine.
func (d *decoder) small(what string) int { return int(d.integer(what, 0, math.MaxInt32)) }

func (d *decoder) source(s *Source) {
	d.object(&sourceShape, func(key string) {
		switch key {
		case "file":
			s.File = d.text("the source file's name")
		case "dialect":
			s.Dialect = d.text("the dialect")
		case "sha256":
			s.SHA256 = d.text("the checksum")
		case "defines":
			d.array("the list of defines", func(int) { s.Defines = append(s.Defines, d.text("a define")) })
		case "text":
			s.Text = d.text("the source text")
		}
	})
}

func (d *decoder) launch(l *Launch) {
	start := d.startOf()
	d.object(&launchShape, func(key string) {
		switch key {
		case "local":
			l.Local = d.sizes("the local size")
		case "groups":
			l.Groups = d.sizes("the number of groups")
		case "warp_size":
			l.WarpSize = d.small("the warp size")
		case "args":
			d.array("the list of arguments", func(int) { l.Args = append(l.Args, d.arg()) })
		}
	})
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
	d.object(&argShape, func(key string) {
		switch key {
		case "name":
			a.Name = d.text("an argument's name")
		case "value":
			a.Value = d.text("an argument's value")
		case "assumed":
			a.Assumed = d.boolean("true or false")
		}
	})
	return a
}

func (d *decoder) resources(r *Resources) {
	d.object(&resourcesShape, func(key string) {
		switch key {
		case "local_bytes":
			r.LocalBytes = d.count("the number of bytes")
		case "registers":
			r.Registers = d.small("the number of registers")
		case "registers_estimated":
			r.RegistersEstimated = d.boolean("true or false")
		case "private_bytes":
			r.PrivateBytes = d.count("the number of bytes")
		case "spilled_bytes":
			r.SpilledBytes = d.count("the number of bytes")
		}
	})
}

func (d *decoder) position() Pos {
	var p Pos
	d.object(&posShape, func(key string) {
		switch key {
		case "file":
			p.File = d.text("a file name")
		case "line":
			p.Line = d.small("the line")
		case "column":
			p.Column = d.small("the column")
		}
	})
	return p
}

func (d *decoder) loop() Loop {
	var l Loop
	d.object(&loopShape, func(key string) {
		switch key {
		case "pos":
			l.Pos = d.position()
		case "kind":
			l.Kind = d.text("the loop's kind")
		case "depth":
			l.Depth = d.small("the depth")
		case "pragma":
			l.Pragma = d.text("the pragma")
		case "trips":
			l.Trips = d.integer("the trip count", -1, math.MaxInt64)
		case "origin":
			l.Origin = d.text("the trip count's origin")
		case "executed":
			l.Executed = d.count("the number of executions")
		case "factor":
			l.Factor = d.count("the unroll factor")
		case "full":
			l.Full = d.boolean("true or false")
		case "remainder":
			l.Remainder = d.count("the remainder")
		case "reason":
			l.Reason = d.text("the reason")
		}
	})
	return l
}

func (d *decoder) branch() Branch {
	var b Branch
	d.object(&branchShape, func(key string) {
		switch key {
		case "pos":
			b.Pos = d.position()
		case "kind":
			b.Kind = d.text("the branch's kind")
		case "decision":
			b.Decision = d.text("the decision")
		case "origin":
			b.Origin = d.text("the decision's origin")
		case "executed":
			b.Executed = d.count("the number of executions")
		case "divergence":
			b.Divergence = d.divergence()
		}
	})
	return b
}

func (d *decoder) note() Note {
	var n Note
	d.object(&noteShape, func(key string) {
		switch key {
		case "code":
			n.Code = d.text("the note's code")
		case "text":
			n.Text = d.text("the note's text")
		case "advice":
			n.Advice = d.text("the note's advice")
		case "pos":
			n.Pos = d.position()
		}
	})
	return n
}

func (d *decoder) access() Access {
	var a Access
	d.object(&accessShape, func(key string) {
		switch key {
		case "space":
			at := d.startOf()
			name := d.text("the address space")
			if a.Space = isa.SpaceNamed(name); a.Space == 0 {
				d.fail(at, CodeBroken, "there is no address space %q", name)
			}
		case "width":
			a.Width = uint16(d.integer("the width in bytes", 1, math.MaxUint16))
		case "store":
			a.Store = d.boolean("true or false")
		case "buffer":
			a.Buffer = d.text("the buffer's name")
		case "offsets":
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
		case "assumed":
			a.Assumed = d.text("the reason")
		case "same":
			a.Same = d.boolean("true or false")
		}
	})
	return a
}

func (d *decoder) instr() Instr {
	var in Instr
	d.object(&instrShape, func(key string) {
		switch key {
		case "op":
			in.Op = d.text("the op")
		case "lanes":
			in.Lanes = uint8(d.integer("the number of lanes", 1, MaxWarpSize))
		case "type":
			in.Type = d.text("the type")
		case "access":
			in.Access = AccessID(d.id(&d.patterns))
		case "pos":
			in.Pos = d.position()
		}
	})
	return in
}
