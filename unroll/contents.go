package unroll

import (
	"maps"
	"slices"

	"gpupipe/internal/diag"
)

// contentReads is what became of a buffer's given contents.
type contentReads struct {
	known   bool  // some element that is loaded was taken from them
	outside bool  // some element that is loaded lies outside of them, for example at the byte
	at      int64 // this far into the buffer
}

// readContents notes a load of a buffer with given contents, at a byte offset.
func (d *decisions) readContents(name string, offset int64, known bool) {
	if d.contents == nil {
		d.contents = map[string]contentReads{}
	}
	c := d.contents[name]
	if known {
		c.known = true
	} else if !c.outside || offset > c.at {
		c.outside, c.at = true, offset
	}
	d.contents[name] = c
}

// mergeContents adds what another warp read.
func (d *decisions) mergeContents(o *decisions) {
	for name, c := range o.contents {
		if c.known {
			d.readContents(name, 0, true)
		}
		if c.outside {
			d.readContents(name, c.at, false)
		}
	}
}

// checkContents warns about given contents that decide nothing, or not all that is loaded
// from the buffer.
func (d *decisions) checkContents(opt Options) {
	for _, name := range slices.Sorted(maps.Keys(opt.Contents)) {
		switch c := d.contents[name]; {
		case c.outside:
			d.diagnostics.Add(diag.Warningf(d.k.Pos, "CONTENTS",
				"--contents %s: %d bytes are given, and the kernel loads byte %d: such elements are not known", name,
				len(opt.Contents[name]), c.at).
				WithNote("groups of all the launch load: give the whole buffer, or a launch that fits it (--local, " +
					"--groups)"))
		case !c.known:
			d.diagnostics.Add(diag.Warningf(d.k.Pos, "CONTENTS", "--contents %s: nothing is taken from it: the "+
				"kernel does not load from %s, or where it does its subscripts are not known or it has written before",
				name, name))
		}
	}
}
