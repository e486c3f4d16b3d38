package irverify

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// verifyObjects checks the memory objects of a kernel and hands each violation to fail.
func verifyObjects(objects []lower.Object, fail func(pos lower.Pos, format string, args ...any)) {
	for i, o := range objects {
		switch {
		case !validSpace(o.Space):
			fail(o.Pos, "object %d (%s) is in %v", i+1, o.Name, o.Space)
		case o.Size < 0:
			fail(o.Pos, "object %s has %d bytes", o.Name, o.Size)
		case o.Dynamic && (o.Space != idg.SpaceLocal || o.Size != 0):
			fail(o.Pos, "dynamic object %s: %v, %d bytes", o.Name, o.Space, o.Size)
		case o.Init != nil && int64(len(o.Init)) != o.Size:
			fail(o.Pos, "object %s of %d bytes has %d initial bytes", o.Name, o.Size, len(o.Init))
		case o.Init != nil && !o.ReadOnly:
			fail(o.Pos, "object %s has initial content but is not read-only", o.Name)
		case o.Space == idg.SpacePrivate && o.Size == 0:
			fail(o.Pos, "private object %s has no size", o.Name)
		}
	}
}

// validSpace reports whether an access can name s.
func validSpace(s lower.Space) bool { return s >= idg.SpaceGlobal && s <= idg.SpaceImage }
