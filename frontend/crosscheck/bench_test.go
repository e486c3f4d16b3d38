package crosscheck

import (
	"os"
	"testing"

	"gpupipe/frontend/resolve"
)

// BenchmarkCheck compares the second reading with the first one (Parse), of the largest kernel of the repository and of
// -folder.
func BenchmarkCheck(b *testing.B) {
	name := "../../internal/evidence/compiler/testdata/amd/kernels.cl"
	if *folder != "" {
		name = *folder
	}
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	cfg := configurationOf(name, string(text))
	unit, read, err := resolve.Read(cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := resolve.Parse(cfg); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if r := Check(unit, read); r.Unreadable != nil || r.Lines == 0 {
				b.Fatal(r)
			}
		}
	})
}
