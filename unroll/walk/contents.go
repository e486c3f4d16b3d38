package walk

import (
	"maps"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/ir"
	"gpupipe/unroll"
)

// The contents of a buffer (--contents) are known until the kernel may have written to it: until this warp stores to
// it or to one that may overlap, and behind a barrier until any of the group may have.

// contents are the bytes of an object, nil where they are not known.
func (w *warp) contents(id ir.ObjectID) []byte {
	o := w.c.code.Func.Object(id)
	switch {
	case o.Init != nil:
		return o.Init
	case w.stale[id]:
		return nil
	}
	return w.launch.Contents[o.Name]
}

// overwrites notes a store, after which the contents are not known of what it may lead to.
func (w *warp) overwrites(in *ir.Instr, lanes uint64) {
	if len(w.launch.Contents) == 0 {
		return
	}
	for _, id := range w.c.mayWrite(in) {
		w.stale[id] = true
	}
}

// meets notes a barrier: what others of the group have stored in front of it is visible behind it.
func (w *warp) meets(id int32) {
	if len(w.launch.Contents) == 0 {
		return
	}
	for _, o := range w.c.meetings[id] {
		w.stale[o] = true
	}
}

// mayWrite lists the objects that a store may lead to: the one that its address is computed from, and the buffers that
// may overlap it, which are those that are not declared restrict. The buffers of a launch are taken to be different
// ones, so that those that the kernel writes nowhere stay as they are.
func (s *static) mayWrite(in *ir.Instr) []ir.ObjectID {
	id := s.root(in.Args[0])
	var list []ir.ObjectID
	f := s.code.Func
	if id != 0 {
		if o := f.Object(id); o.Restrict || o.Space == idg.SpacePrivate || o.Space == idg.SpaceLocal ||
			o.Space == idg.SpaceImage {
			return []ir.ObjectID{id}
		}
	}
	for i := range f.Objects {
		o := &f.Objects[i]
		other := ir.ObjectID(i + 1)
		if other == id || s.written[other] && o.Init == nil && o.Space == idg.SpaceGlobal && (!o.Restrict || id == 0) {
			list = append(list, other)
		}
	}
	return list
}

// findMeetings finds what each barrier makes visible: the stores in front of it in program order, and those of the
// loops that it stands in.
func (s *static) findMeetings() {
	s.meetings = map[int32][]ir.ObjectID{}
	for id, b := range s.instrs {
		if b.Class != "barrier" {
			continue
		}
		end := int32(id)
		for _, l := range s.loops {
			if l.from <= int32(id) && int32(id) < l.behind {
				end = max(end, l.behind)
			}
		}
		seen := map[ir.ObjectID]bool{}
		for _, in := range s.instrs[:end] {
			if in.Mem == nil || !in.Mem.Store && !in.Mem.Atomic || in.From == nil || in.Spill ||
				len(in.From.Args) == 0 {
				continue
			}
			for _, o := range s.mayWrite(in.From) {
				if !seen[o] {
					seen[o] = true
					s.meetings[int32(id)] = append(s.meetings[int32(id)], o)
				}
			}
		}
	}
}

// contentReads is what became of the given contents of buffers, by name.
type contentReads map[string]contentRead

type contentRead struct {
	known   bool  // some element that is loaded was taken from them
	outside bool  // some element that is loaded lies outside of them, for example at the byte
	at      int64 // this far into the buffer
}

// reads notes a load of a buffer with given contents.
func (c contentReads) reads(name string, offset int64, known bool) {
	r := c[name]
	if known {
		r.known = true
	} else if !r.outside || offset > r.at {
		r.outside, r.at = true, offset
	}
	c[name] = r
}

// checkContents warns about given contents that decide nothing, or not all that is loaded from the buffer.
func (s *static) checkContents(o *unroll.Options) {
	for _, name := range slices.Sorted(maps.Keys(o.Contents)) {
		switch c := s.contents[name]; {
		case c.outside:
			s.says(diag.Warningf(s.kernel.Pos, "CONTENTS",
				"--contents %s: %d bytes are given, and the kernel loads byte %d: such elements are not known", name,
				len(o.Contents[name]), c.at).
				WithNote("groups of all the launch load: give the whole buffer, or a launch that fits it (--local, " +
					"--groups)"))
		case !c.known:
			s.says(diag.Warningf(s.kernel.Pos, "CONTENTS", "--contents %s: nothing is taken from it: the "+
				"kernel does not load from %s, or where it does its subscripts are not known or it has written before",
				name, name))
		}
	}
}
