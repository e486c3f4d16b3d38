package translate_test

import (
	"encoding/binary"
	"math"
	"testing"

	"gpupipe/internal/test/interp"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/randomc"
	"gpupipe/internal/test/tools"
)

// TestRandomPrograms: the lowered program, built as SSA, computes what the same in Go does.
func TestRandomPrograms(t *testing.T) {
	n := tools.Cases(400, 50)
	for seed := range n {
		p := randomc.New(uint64(seed))
		k := irtest.Build(t, irtest.Config("k.cl", p.Text))[0]
		for i, in := range [][]int32{{0, 0, 0, 0}, {1, -2, 3, 4}, {100, 7, -9, 1 << 30}} {
			o, q, words := make([]int32, randomc.SizeO), make([]int32, randomc.SizeQ), make([]int32, randomc.SizeP)
			f := make([]float32, randomc.SizeF)
			copy(o, in)
			for j := range q {
				q[j] = int32(j*j - 10)
			}
			for j := range words {
				words[j] = int32(j % 17)
				f[j] = float32(j % 5)
			}
			floats := []int32{}
			for _, x := range f {
				floats = append(floats, int32(math.Float32bits(x)))
			}
			memory := map[string][]byte{"o": bytesOf(o...), "q": bytesOf(q...), "p": bytesOf(words...),
				"f": bytesOf(floats...)}
			scalars := map[string]uint64{"n": uint64(5 * i)}
			p.Run(o, q, words, f, int32(5*i))
			if err := interp.Run(k, memory, scalars, nil); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p.Text)
			}
			for name, list := range map[string][]int32{"o": o, "p": words} {
				for j, want := range list {
					if got := int32(binary.LittleEndian.Uint32(memory[name][4*j:])); got != want {
						t.Fatalf("seed %d, input %v: %s[%d] = %d, want %d\n%s\n%s", seed, in, name, j, got, want, p.Text, k)
					}
				}
			}
			for j, want := range f {
				if got := math.Float32frombits(binary.LittleEndian.Uint32(memory["f"][4*j:])); got != want {
					t.Fatalf("seed %d, input %v: f[%d] = %v, want %v\n%s\n%s", seed, in, j, got, want, p.Text, k)
				}
			}
		}
	}
}

func bytesOf(words ...int32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return b
}
