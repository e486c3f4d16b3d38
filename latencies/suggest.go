package latencies

import "gpupipe/internal/spelling"

// didYouMean is "; did you mean a, b or c?", or nothing.
func didYouMean(word string, known []string) string {
	if s := spelling.DidYouMean(word, known); s != "" {
		return "; " + s
	}
	return ""
}
