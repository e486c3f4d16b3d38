package finding

import (
	"testing"

	"gpupipe/idg"
)

// TestHeadOfLoopsWithoutPlace: graphs that others write need not say where loops stand.
func TestHeadOfLoopsWithoutPlace(t *testing.T) {
	r := &Run{}
	r.Graph = &idg.Graph{Header: idg.Header{Source: idg.Source{File: "a.cl", Text: "for (;;)\n"}}}
	for _, pos := range []idg.Pos{{}, {File: "a.cl", Line: 1}, {File: "a.cl", Line: 9, Column: 1}} {
		if end := r.headEnd(pos); end != pos {
			t.Errorf("the head of a loop at %v ends at %v", pos, end)
		}
	}
}
