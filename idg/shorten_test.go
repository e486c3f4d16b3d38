package idg

import (
	"bytes"
	"testing"

	"gpupipe/internal/test/tools"
)

// A graph with fewer iterations is that of loops that have them.
func TestWithTrips(t *testing.T) {
	const many, few = 12, 8
	for seed := range uint64(tools.Cases(200, 40)) {
		g, err := Decode(bytes.NewReader(encode(t, randomLoops(t, seed, many), EncodeOptions{Fold: true})), "")
		if err != nil {
			t.Fatal(err)
		}
		got := g.WithTrips(func(count int64) int64 {
			if count > many/2 {
				return count - (many - few)
			}
			return count // blocks that are equal by chance
		})
		if err := got.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if d := diff(randomLoops(t, seed, few), got); d != "" {
			t.Fatalf("seed %d: -want +got\n%s", seed, d)
		}
	}
}
