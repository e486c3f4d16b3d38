package lower

import "gpupipe/idg"

// VerifyObjects checks the memory objects of a kernel and hands each violation to fail.
func VerifyObjects(objects []Object, fail func(pos Pos, format string, args ...any)) {
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
