package load

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/frontend/source"

	"modernc.org/cc/v4"
)

// Kernels are often written for macros that the host program defines. Without
// them a name is not declared, or a type is not known and cc cannot parse the
// file at all. To say all of it at once, parsing goes on with a stand-in for each
// unknown type, which counts as not declared where it is used, and the macros
// that one kernel lacks become one error.

// maxMissing is how many unknown types are stood in for, each at the price of
// parsing the file again.
const maxMissing = 20

// nameMissing is the source that holds the stand-ins.
const nameMissing = "<missing>"

// standIn declares a type for the name that the last syntax error has called an
// unknown type. It reports false if there is none: the error stands.
func (l *loader) standIn() bool {
	name := l.unknownType
	if name == "" || l.cfg.Dialect != source.OpenCL || len(l.missing) >= maxMissing || slices.Contains(l.missing, name) {
		return false
	}
	l.missing = append(l.missing, name)
	return true
}

// missingText declares the stand-ins.
func (l *loader) missingText() string {
	var b strings.Builder
	for _, name := range l.missing {
		fmt.Fprintf(&b, "typedef int %s;\n", name)
	}
	return b.String()
}

// StandsIn reports whether n is the declaration of a stand-in.
func (p *Parsed) StandsIn(n cc.Node) bool { return n.Position().Filename == nameMissing }
