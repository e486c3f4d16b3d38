package prelude

import "strings"

// HostMacros are the macros of numbers that the host's compiler knows, of the language and its
// headers. __CUDA_ARCH__ is not among them.
var HostMacros = func() string {
	var b strings.Builder
	for line := range strings.Lines(preludeCommon + cudaConstants) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "#define" || words[1] == "true" || words[1] == "false" || strings.Contains(words[1], "(") {
			continue
		}
		if c := words[2][0]; c == '(' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' {
			b.WriteString(line)
		}
	}
	return b.String()
}()
