package sass

import (
	"fmt"
	"strings"
	"testing"
)

// parsed is the kernel of instructions as cuobjdump writes them.
func parsed(t *testing.T, code string) *Kernel {
	t.Helper()
	k, err := Parse(listing(strings.Split(code, "; ")...), "k")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestPortReads: the examples of H25, listing 4, and what reads nothing.
func TestPortReads(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"IADD3 R1, R2.reuse, R3, R4; FFMA R5, R2, R7, R8; IADD3 R10, R2, R12, R13", "[[2 3 4] [7 8] [2 12 13]]"},
		{"IADD3 R1, R2.reuse, R3, R4; FFMA R5, R2.reuse, R7, R8; IADD3 R10, R2, R12, R13", "[[2 3 4] [7 8] [12 13]]"},
		{"IADD3 R1, R2.reuse, R3, R4; FFMA R5, R7, R2, R8; IADD3 R10, R2, R12, R13", "[[2 3 4] [2 7 8] [12 13]]"},
		{"IADD3 R1, R2.reuse, R3, R4; FFMA R5, R4, R7, R8; IADD3 R10, R2, R12, R13", "[[2 3 4] [4 7 8] [2 12 13]]"},
		{"FMUL R0, R2, R2; FADD R0, -R1, |R3|; FFMA R0, R1, c[0x0][0x160], R1; FFMA R0, R1, 3, RZ",
			"[[2] [1 3] [1] [1]]"},
		{"IMAD.WIDE R2, R4, 0x4, R6; IMAD.WIDE R2, R4, R5, c[0x0][0x160]; DFMA R2, R4, R6, R8",
			"[[4 6 7] [4 5] [4 5 6 7 8 9]]"},
		{"ISETP.GE.AND P0, PT, R1, R2, !P1; SEL R0, R1, R2, P0; IADD3.X R0, R1, R2, RZ, P0, !PT; LEA R0, P1, R3, " +
			"R4, 0x2", "[[1 2] [1 2] [1 2] [3 4]]"},
		{"LDS R0, [R1]; STS [R1], R2; MUFU.RCP R0, R1; I2F R0, R1; UIADD3 UR4, UR5, UR6, URZ; IADD3 R0, R1, UR4, RZ",
			"[[] [] [] [] [] [1]]"},
		{"MOV R0, R1.reuse; IADD3 R2, R3, R1, R5; MOV R0, R2.reuse; IADD3 R2, R2, R3, R5", "[[1] [3 5] [2] [2 3 5]]"},
		{"FMUL R0, R1.reuse, R2; BRA 0x20; FMUL R0, R1, R2", "[[1 2] [] [1 2]]"},
	} {
		if got := fmt.Sprint(parsed(t, c.code).PortReads()); got != c.want {
			t.Errorf("%s: %s, want %s", c.code, got, c.want)
		}
	}
}

// TestAllocate: bubbles that H25 measured (3 and 5.3): an instruction after one that reads R10, R12 and R14,
// and many alike.
func TestAllocate(t *testing.T) {
	for _, c := range []struct {
		code          string
		times         int
		banks, either int64
	}{
		{"FFMA R11, R10, R12, R14; FFMA R13, R16, R19, R21; NOP", 1, 3, 3},
		{"FFMA R11, R10, R12, R14; FFMA R13, R16, R18, R21; NOP", 1, 4, 3},
		{"FFMA R11, R10, R12, R14; FFMA R13, R16, R18, R20; NOP", 1, 5, 3},
		{"FMUL R0, R2, R4", 100, 198, 100},
		{"FMUL R0, R2, R5", 100, 100, 100},
		{"FFMA R0, R2, R4, R6", 100, 298, 148},
		{"FFMA R0, R2, R4, R7; FFMA R1, R3, R4, R5", 50, 148, 148},
	} {
		k := parsed(t, strings.TrimSuffix(strings.Repeat(c.code+"; ", c.times), "; ")+"; EXIT")
		reads := k.PortReads()
		reads = reads[:len(reads)-1]
		if got := allocate(reads, bank, 1); got != c.banks {
			t.Errorf("%s: %d cycles, want %d", c.code, got, c.banks)
		}
		if got := allocate(reads, func(int) int { return 0 }, banks); got != c.either {
			t.Errorf("%s, wherever registers are: %d cycles, want %d", c.code, got, c.either)
		}
	}
}

// TestPorts adds up blocks by how often they are executed.
func TestPorts(t *testing.T) {
	k := parsed(t, "MOV R1, 0x5; FMUL R2, R4, R6; FMUL R2, R4, R6; IADD3 R1, R1, -0x1, RZ; ISETP.NE.AND P0, PT, R1, "+
		"RZ, PT; @P0 BRA 0x10; EXIT")
	n, err := k.Run(oneItem)
	if err != nil {
		t.Fatal(err)
	}
	p := k.Ports(n)
	if p.Issued != 27 || p.Fixed[Float] != 10 || p.Words[Float] != 20 || p.Cycles != 27 || p.Ideal != 27 {
		t.Errorf("%+v", p)
	}
}

// TestCounted reads control words that nvcc 11.8 writes.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		code, control string
		want          bool
	}{
		{"S2R R0, SR_TID.X", "0x000e220000002100", true},                     // until the result is written
		{"STS [R0], R2", "0x0041e20000000800", true},                         // until the operands are read
		{"IMAD.WIDE R2, R0, R7, c[0x0][0x160]", "0x001fca00078e0007", false}, // waits for one
	} {
		text := strings.Replace(listing(c.code, "EXIT"), "0x000fe200078e00ff", c.control, 1)
		k, err := Parse(text, "k")
		if err != nil {
			t.Fatal(err)
		}
		if k.Code[0].Counted != c.want || k.Code[1].Counted {
			t.Errorf("%s with %s: counted %v, %v, want %v, false", c.code, c.control, k.Code[0].Counted,
				k.Code[1].Counted, c.want)
		}
	}
}
