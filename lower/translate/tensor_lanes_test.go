package translate

import (
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// loaded counts, by object and byte, what the lanes of a warp load in straight code; loaded values are 0.
func loaded(t *testing.T, k *lower.Kernel) map[uint64]map[int64]int {
	t.Helper()
	count := map[uint64]map[int64]int{}
	for lane := range uint64(32) {
		regs := make([]uint64, len(k.Regs)+1)
		for _, p := range k.Params {
			regs[p.Reg] = uint64(p.Object) << 40
		}
		value := func(o Operand) uint64 {
			switch o.Kind {
			case lower.OperandReg:
				return regs[o.Reg]
			case lower.OperandObject:
				return uint64(o.Object) << 40
			}
			return arithmetic.LaneBits(o.Type, o.Bits)
		}
		lower.Walk(k.Body, func(s lower.Stmt) {
			in, ok := s.(*Instr)
			if _, region := s.(*lower.Region); region {
				return
			} else if !ok {
				t.Fatalf("%T", s)
			}
			var a []uint64
			for _, o := range in.Args {
				a = append(a, value(o))
			}
			r, known := uint64(0), true
			switch {
			case in.Op == lower.Index:
				r = lane
			case in.Op == lower.PtrAdd:
				r = a[0] + uint64(int64(a[1])*in.Scale)
			case in.Op == lower.Mov:
				r = a[0]
			case in.Op == lower.Convert:
				r = arithmetic.Convert(in.Type, in.From, in.Fn, a[0])
			case in.Op == lower.Load:
				object, at := a[0]>>40, int64(a[0]&(1<<40-1))
				if count[object] == nil {
					count[object] = map[int64]int{}
				}
				for i := range int64(len(in.Dsts)) * in.Type.Size() {
					count[object][at+i]++
				}
			case in.Op <= lower.Ge && len(a) == 2 && in.Type != lower.Ptr:
				r, known = arithmetic.Binary(in.Op, in.Type, a[0], a[1])
			}
			if !known {
				t.Fatalf("%v of %v", in.Op, a)
			}
			for _, d := range in.Dsts {
				regs[d] = r
			}
		})
	}
	return count
}

// TestFactorLanes: the lanes of a warp load every byte of the factors of a product equally often, and nothing else.
func TestFactorLanes(t *testing.T) {
	newer := []target.TensorCores{target.Ampere}
	for _, c := range []struct {
		format      string
		cores       []target.TensorCores
		size, depth int64
	}{
		{"half", []target.TensorCores{target.Volta, target.Turing, target.Ampere}, 2, 16}, {"bf16", newer, 2, 16},
		{"tf32", newer, 4, 8}, {"f64", newer, 8, 4}, {"s8", []target.TensorCores{target.Turing, target.Ampere}, 1, 16},
	} {
		u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: tensorKernels(c.format), Dialect: ast.CUDA})
		if err != nil {
			t.Fatal(err)
		}
		for _, u.Target.TensorCores = range c.cores {
			for _, fn := range u.Kernels {
				k, err := Kernel(u, fn)
				if err != nil {
					t.Fatal(err)
				}
				words := strings.Split(fn.Name, "_") // k_M_N_A_B_...
				m, _ := strconv.ParseInt(words[1], 10, 64)
				n, _ := strconv.ParseInt(words[2], 10, 64)
				count := loaded(t, k)
				checkFactor(t, k, count, "a", words[3] == "row", m, c.depth, c.size)
				checkFactor(t, k, count, "b", words[4] == "row", c.depth, n, c.size)
			}
		}
	}
}

// checkFactor checks what is loaded of a matrix of so many lines and columns, whose rows or columns lie 64 elements
// apart, in a parameter or an array with its name in capitals.
func checkFactor(t *testing.T, k *lower.Kernel, count map[uint64]map[int64]int, name string, rows bool,
	lines, columns, size int64) {
	t.Helper()
	if !rows {
		lines, columns = columns, lines
	}
	for object, bytes := range count {
		if strings.ToLower(k.Objects[object-1].Name) != name {
			continue
		}
		for at, n := range bytes {
			if at/(64*size) >= lines || at%(64*size) >= columns*size || n != bytes[0] {
				t.Errorf("%s, %s: byte %d is loaded %d times, the first %d times", k.Name, name, at, n, bytes[0])
			}
		}
		if int64(len(bytes)) != lines*columns*size {
			t.Errorf("%s, %s: %d bytes are loaded, of %dx%d elements", k.Name, name, len(bytes), lines, columns)
		}
		return
	}
	t.Errorf("%s: nothing of %s is loaded", k.Name, name)
}
