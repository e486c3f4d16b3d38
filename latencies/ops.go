package latencies

import (
	"fmt"
	"strings"

	"gpupipe/idg/isa"
)

// checkMatch says what is wrong with the name of an instruction entry, or "".
func checkMatch(name string) string {
	if !isName(name) {
		return fmt.Sprintf("%q is not an op, a family or a class", name)
	}
	if isa.IsFamily(name) || isa.Parse(name).Verb != 0 {
		return ""
	}
	base, _, _ := strings.Cut(name, ".")
	return fmt.Sprintf("no op is called %q%s", base, didYouMean(base, isa.Names()))
}

// isName reports whether s is made of dotted lower-case words.
func isName(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || len(word) > 40 {
			return false
		}
		for _, c := range []byte(word) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
				return false
			}
		}
	}
	return len(s) <= 100
}
