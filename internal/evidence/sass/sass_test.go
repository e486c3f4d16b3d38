package sass

import (
	"fmt"
	"strings"
	"testing"
)

// listing writes instructions as cuobjdump does.
func listing(code ...string) string {
	var b strings.Builder
	b.WriteString("\t\tFunction : _Z1kPf\n\t.headerflags    @\"EF_CUDA_SM80\"\n")
	for i, c := range code {
		fmt.Fprintf(&b, "        /*%04x*/                   %s ;                 /* 0x000000ff00017624 */\n"+
			"                                                             /* 0x000fe200078e00ff */\n", i*spacing, c)
	}
	return b.String()
}

func run(t *testing.T, l Launch, code ...string) ([]Executed, error) {
	t.Helper()
	k, err := Parse(listing(code...), "k")
	if err != nil {
		t.Fatal(err)
	}
	return k.Run(l)
}

var oneItem = Launch{
	Local: [3]int64{1, 1, 1}, Groups: [3]int64{7, 1, 1}, Group: [3]int64{3, 0, 0}, WarpSize: 32, Limit: 1000,
	Params: map[int64]uint32{0: 0x12345678, 4: 0x9, 8: 100},
}

// TestEvaluate: what instructions leave in R0 (or a predicate as R0), by the examples that
// nvcc's code for known sources shows.
func TestEvaluate(t *testing.T) {
	for _, c := range []struct {
		code string // of R1 = 100, R2 = -3, R3 = 1<<31, P1 = true, P2 = false
		want int32
	}{
		{"MOV R0, c[0x0][0x168]", 100}, {"IMAD.MOV.U32 R0, RZ, RZ, c[0x0][0xc]", 7}, {"S2R R0, SR_CTAID.X", 3},
		{"CS2R R0, SRZ", 0},
		{"IADD3 R0, R1, -R2, 0x5", 108}, {"IADD3 R0, P0, R3, R3, RZ; IADD3.X R0, R1, RZ, RZ, P0, !PT", 101},
		{"IADD3 R0, P0, R1, -R1, RZ; IMAD.X R0, RZ, RZ, R1, P0", 101},
		{"IADD3 R0, P0, R1, R1, RZ; IADD3.X R0, RZ, ~R2, RZ, P0, !PT", 2},
		{"IMAD R0, R1, 0x8, R2", 797}, {"IMAD.SHL.U32 R0, R1, 0x4, RZ", 400}, {"IMAD.IADD R0, R1, 0x1, -R2", 103},
		{"IMAD.HI.U32 R0, R3, 0x6, RZ", 3},
		{"IMAD.WIDE R0, R2, 0x4, c[0x0][0x160]; MOV R0, R1", 9},
		{"IMAD.WIDE R0, R2, 0x4, c[0x0][0x160]", 0x12345678 - 12}, {"IMAD.WIDE.U32 R0, R3, 0x2, RZ; MOV R0, R1", 1},
		{"LEA R0, R1, R2, 0x3", 797}, {"LEA.HI R0, R3, R1, RZ, 0x2", 102},
		{"LEA R0, P0, R3, R3, 0x0; LEA.HI.X R0, R3, R1, RZ, 0x1, P0", 102},
		{"LEA R0, P0, R3, RZ, 0x1; LEA.HI.X.SX32 R0, R2, R1, 0x1, P0", 99},
		{"LOP3.LUT R0, R1, 0x7, RZ, 0xc0, !PT", 4}, {"LOP3.LUT R0, R1, 0x7, R2, 0x96, !PT", 100 ^ 7 ^ -3},
		{"LOP3.LUT P0, RZ, R1, 0x3, RZ, 0xc0, !PT; SEL R0, R1, R2, P0", -3},
		{"SHF.L.U32 R0, R1, 0x2, RZ", 400}, {"SHF.R.S32.HI R0, RZ, 0x1f, R2", -1}, {"SHF.R.U32.HI R0, RZ, 0x1f, R2", 1},
		{"SHF.L.U64.HI R0, R3, 0x1, R1", 201}, {"SHF.R.U64 R0, RZ, 0x1f, R1", 200},
		{"IABS R0, R2", 3}, {"IMNMX R0, R1, R2, PT", -3}, {"IMNMX.U32 R0, R1, R2, PT", 100},
		{"IMNMX R0, R1, R2, !PT", 100}, {"POPC R0, R1", 3},
		{"PRMT R0, R1, 0x7710, R2", -1<<16 + 100}, {"SEL R0, R1, R2, !P1", -3},
		{"HFMA2.MMA R0, -RZ, RZ, 0, 2.384185791015625e-07", 4}, {"HFMA2.MMA R0, -RZ, RZ, 1.875, 0", 0x3f800000},
		{"ISETP.GT.AND P0, PT, R1, R2, PT; SEL R0, R1, RZ, P0", 100},
		{"ISETP.GT.U32.AND P0, PT, R1, R2, PT; SEL R0, R1, RZ, P0", 0},
		{"ISETP.LT.OR P0, PT, R1, R2, P1; SEL R0, R1, RZ, P0", 100},
		{"ISETP.NE.AND P0, P3, R1, R1, PT; SEL R0, R1, RZ, P3", 100},
		{"ISETP.GE.AND.EX P0, PT, R1, R1, PT, P2; SEL R0, R1, RZ, P0", 0},
		{"PLOP3.LUT P0, PT, P1, P2, PT, 0xa8, 0x0; SEL R0, R1, RZ, P0", 100},
		{"UMOV UR4, 0x5; UIADD3 UR4, UR4, 0x1, URZ; MOV R0, UR4", 6}, {"ULDC.64 UR4, c[0x0][0x160]; MOV R0, UR5", 9},
		// 1001 / 100
		{"I2F.U32.RP R0, R1; MUFU.RCP R0, R0; IADD3 R0, R0, 0xffffffe, RZ; F2I.FTZ.U32.TRUNC.NTZ R0, R0; IMAD.HI.U32 " +
			"R0, R0, 0x3e9, RZ", 10},
		// Floating-point numbers; 100 as a double has the high word 0x40590000.
		{"I2F R4, R1; FFMA R4, R4, -0.5, RZ; FADD R4, |R4|, 3; F2I.TRUNC.NTZ R0, R4", 53},
		{"I2F.U32 R4, R3; F2I R0, R4", 1<<31 - 1},
		{"I2F R4, R2; FRND.FLOOR R4, R4; FADD.SAT R4, -R4, -2.5; FMUL R4, R4, 8; F2I R0, R4", 4},
		{"I2F R4, R1; MUFU.SQRT R4, R4; F2I R0, R4", 10}, {"I2F R4, R1; MUFU.RCP R4, R4; FMUL R4, R4, 1e3; F2I R0, R4",
			10}, {"MUFU.EX2 R4, 10; F2I R0, R4", 1024}, {"MUFU.LG2 R4, 1024; F2I R0, R4", 10},
		{"I2F R4, R2; FSETP.GT.AND P0, P3, |R4|, 2, PT; SEL R0, R1, RZ, P0", 100},
		{"I2F R4, R2; FSETP.GEU.OR P0, PT, R4, 2, P1; SEL R0, R1, RZ, P0", 100},
		{"I2F R4, R2; FSETP.LE.AND P0, P3, R4, 2, PT; SEL R0, R1, RZ, P3", 0},
		{"I2F R4, R1; FSEL R4, R4, -1, P2; F2I R0, R4", -1}, {"FCHK P0, R1, R2; SEL R0, R1, R2, P0", -3},
		{"MOV R6, RZ; MOV R7, 0x40590000; DFMA R6, R6, 2, -R6; DADD R6, R6, 100; DSETP.EQ.AND P0, PT, R6, 200, PT; " +
			"SEL R0, R1, RZ, P0", 100},
		{"MOV R7, 0x40590000; MUFU.RCP64H R7, R7; MOV R6, RZ; DMUL R6, R6, 1e4; DSETP.LT.AND P0, PT, R6, 101, PT; " +
			"SEL R0, R1, RZ, P0", 100},
	} {
		code := append([]string{"MOV R1, 0x64", "IADD3 R2, RZ, -0x3, RZ", "MOV R3, 0x80000000",
			"ISETP.NE.AND P1, P2, RZ, 0x1, PT"}, strings.Split(c.code, "; ")...)
		at := len(code)
		code = append(code, fmt.Sprintf("ISETP.EQ.AND P0, PT, R0, 0x%x, PT", uint32(c.want)),
			fmt.Sprintf("@P0 BRA 0x%x", (at+3)*spacing), "NOP", "EXIT")
		n, err := run(t, oneItem, code...)
		if err != nil {
			t.Errorf("%s: %v", c.code, err)
		} else if n[at+2].Issued != 0 {
			t.Errorf("%s does not give %d", c.code, c.want)
		}
	}
}

// TestRun: loops, predicates and lanes that leave.
func TestRun(t *testing.T) {
	l := oneItem
	l.Local = [3]int64{48, 1, 1}
	for warp, want := range []string{"[{1 1} {1 1} {1 0} {32 32} {32 32} {32 32} {1 1}]",
		"[{1 1} {1 1} {1 0} {48 48} {48 48} {48 48} {1 1}]"} {
		l.Warp = int64(warp)
		n, err := run(t, l,
			"S2R R0, SR_TID.X", "MOV R1, RZ", "@!PT NOP",
			"IADD3 R1, R1, 0x1, RZ", "ISETP.GT.AND P0, PT, R1, R0, PT", "@!P0 BRA 0x30", "EXIT", "BRA 0x70", "NOP")
		if err != nil || fmt.Sprint(n) != want {
			t.Errorf("warp %d: %v, %v, want %s", warp, n, err, want)
		}
	}
	if n, err := run(t, oneItem, "ISETP.EQ.AND P0, PT, RZ, RZ, PT", "@P0 CALL.REL.NOINC 0x30", "BRA 0x0",
		"EXIT"); err != nil || fmt.Sprint(n) != "[{1 1} {1 1} {0 0} {1 1}]" {
		t.Errorf("leaving a loop by a call: %v, %v", n, err)
	}
	for _, code := range [][]string{
		{"ISETP.EQ.AND P0, PT, RZ, RZ, PT", "@P0 CALL.REL.NOINC 0x20", "RET.REL.NODEC R2 0x0"},
		{"LDG.E R0, [R2.64]", "ISETP.EQ.AND P0, PT, R0, RZ, PT", "@P0 EXIT", "EXIT"},
		{"BRA 0x10", "BRA 0x0", "EXIT"},
		{"CALL.REL.NOINC 0x10", "EXIT"},
	} {
		if n, err := run(t, oneItem, code...); err == nil {
			t.Errorf("%q: %v, want an error", code, n)
		}
	}
}

// TestParse: what is not code of the kernel.
func TestParse(t *testing.T) {
	k, err := Parse(strings.ReplaceAll(listing("FFMA R0, R1.reuse, R2, R3", "@!P0 STG.E.64 [R2.64+0x8], R4", "EXIT",
		"BRA 0x30", "NOP"), "_Z1kPf", "k"), "k")
	if err != nil || len(k.Code) != 3 || k.Code[1].Guard != "P0" || !k.Code[1].Negated ||
		k.Code[0].Operands[1] != "R1" || k.Code[1].Operands[0] != "[R2.64+0x8]" {
		t.Errorf("%+v, %v", k, err)
	}
	for _, name := range []string{"kk", "_Z1kPf2"} {
		if _, err := Parse(listing("EXIT"), name); err == nil {
			t.Errorf("there is a kernel %s", name)
		}
	}
}

// TestPipe: where instructions go.
func TestPipe(t *testing.T) {
	for op, want := range map[string]Pipe{
		"FFMA": Float, "FADD.FTZ": Float, "FSETP.GT.AND": Integer, "IMAD.WIDE": Integer, "LEA.HI.X": Integer,
		"MOV": Integer, "DADD": Double, "HADD2": Half, "HFMA2.MMA": Half, "MUFU.RSQ": Special,
		"I2F.U16": Special, "LDG.E.U8": Global, "LDS.128": Local, "LDC": Constant, "ULDC.64": Uniform,
		"UIADD3": Uniform, "BRA": Branch, "BSYNC": Branch, "BAR.SYNC": Barrier, "NOP": 0,
	} {
		if got := (&Instruction{Op: op}).Pipe(); got != want {
			t.Errorf("%s goes to %v, want %v", op, got, want)
		}
	}
	move := Instruction{Op: "HFMA2.MMA", Operands: []string{"R3", "-RZ", "RZ", "0", "0"}}
	if move.Pipe() != Integer {
		t.Errorf("a move goes to %v", move.Pipe())
	}
}

// TestNumber: loads give the numbers of the launch, each lane and load its own, and branches follow
// what comes of them.
func TestNumber(t *testing.T) {
	code := []string{"LDG.E R0, [R2.64]", "LDG.E.64 R4, [R2.64]", "FSETP.GT.AND P0, PT, R0, 2, PT",
		"DSETP.GT.AND P1, PT, R4, 5, PT", "@P0 BRA P1, 0x60", "NOP", "EXIT"}
	l := oneItem
	l.Number = func(lane, load int64) float64 { return 1 + float64(4*load+lane) }
	l.Local = [3]int64{3, 1, 1}
	n, err := run(t, l, code...)
	if err != nil {
		t.Fatal(err)
	}
	if n[5].Issued != 1 { // by the first two lanes
		t.Errorf("%v", n)
	}
	l.Number = func(lane, load int64) float64 { return 10 }
	if n, err = run(t, l, code...); err != nil || n[5].Issued != 0 {
		t.Errorf("%v, %v", n, err)
	}
	if _, err := run(t, oneItem, code...); err == nil {
		t.Error("a branch on data that are not known is followed")
	}
}
