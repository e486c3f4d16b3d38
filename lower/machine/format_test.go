package machine

import (
	"strings"
	"testing"
)

// TestDeepListing: a listing's size follows from how many lines it has, however deep they nest.
func TestDeepListing(t *testing.T) {
	size := func(depth int) int {
		c := &Code{Target: &Target{}, Body: &Block{}}
		b := c.Body
		for range depth {
			inner := &Block{}
			b.Nodes = append(b.Nodes, &Region{Body: inner})
			b = inner
		}
		text := c.String()
		if n := strings.Count(text, "{"); n != depth || n != strings.Count(text, "}") {
			t.Fatalf("%d blocks are opened, want %d\n%s", n, depth, text)
		}
		return len(text)
	}
	if a, b := size(1000), size(4000); b > 5*a {
		t.Errorf("4 times as deep, a listing has %d bytes for %d", b, a)
	}
}
