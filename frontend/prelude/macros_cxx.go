package prelude

import (
	"regexp"
	"strings"

	"gpupipe/frontend/source"
)

// notMacros are the macros of Text that stand for what package syntax reads by itself.
var notMacros = regexp.MustCompile(`kl_|_Nonnull|__attribute__|^#define (constexpr|consteval|typename|noexcept|static_assert|alignof|alignas|` +
	`nullptr|true|false|and|or|not|bitand|bitor|compl|and_eq|or_eq|xor|xor_eq|not_eq|auto|inline|thread_local|` +
	`l?l(round|rint)f?|__forceinline__|__noinline__|__host__|__device__|__grid_constant__|__launch_bounds__|__cluster_dims__)\b`)

// Macros are the macros of a language alone.
func Macros(d source.Dialect, architecture string) string {
	var b strings.Builder
	for line := range strings.Lines(Text(d, architecture)) {
		if !strings.HasPrefix(line, "#define ") && strings.HasPrefix(line, "#") || strings.HasPrefix(line, "#define ") && !notMacros.MatchString(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}
