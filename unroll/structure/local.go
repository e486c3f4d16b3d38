package structure

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// LocalStart returns where an array lies in the local memory of a group: behind those
// declared before it. The places of dynamic arrays and of those of arguments are
// not known to the compiler.
func (s *Kernel) LocalStart(id lower.ObjectID) (start int64, ok bool) {
	for i := range s.k.Objects {
		o := &s.k.Objects[i]
		if o.Space != idg.SpaceLocal || o.Size == 0 || o.Dynamic {
			if lower.ObjectID(i+1) == id {
				return 0, false
			}
			continue
		}
		align := max(1, o.Elem.Size())
		start = (start + align - 1) / align * align
		if lower.ObjectID(i+1) == id {
			return start, true
		}
		start += o.Size
	}
	return 0, false
}
