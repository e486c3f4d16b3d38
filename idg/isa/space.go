package isa

// Space is the address space of a memory access, in OpenCL's words.
type Space uint8

// The address spaces. The zero value is invalid.
const (
	Global   Space = iota + 1 // device memory
	Local                     // on-chip memory of a work group (CUDA: shared)
	Constant                  // read-only, cached, broadcast
	Private                   // per work item, in device memory (CUDA: local)
	Image                     // images and textures
)

var spaceNames = [...]string{Global: "global", Local: "local", Constant: "constant", Private: "private", Image: "image"}

func (s Space) String() string {
	if int(s) < len(spaceNames) && s != 0 {
		return spaceNames[s]
	}
	return "invalid space"
}

var spacesByName = indexOf[Space](spaceNames[:])

// SpaceNamed reads an address space; 0: it is none.
func SpaceNamed(name string) Space { return spacesByName[name] }
