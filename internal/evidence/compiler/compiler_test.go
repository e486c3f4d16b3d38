package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestPlainName(t *testing.T) {
	for symbol, want := range map[string]string{
		"_Z3firILi4EEvPKfPf": "fir<4>", "_Z7jacobi5PKfPfii": "jacobi5", "conv": "conv",
		"_Z5banksILi32EEvPfi": "banks<32>",
	} {
		if got := plainName(symbol); got != want {
			t.Errorf("%s: %s, want %s", symbol, got, want)
		}
	}
}

const listing = `
		Function : _Z1kPf
        /*0000*/                   MOV R1, c[0x0][0x28] ;
        /*0010*/               @P0 BRA 0x70 ;
        /*0020*/                   LDG.E.128 R4, [R2.64] ;
        /*0030*/                   FFMA R0, R4, R5, R0 ;
        /*0040*/                   HFMA2.MMA R5, -RZ, RZ, 0, 0 ;
        /*0050*/              @!P1 BRA 0x20 ;
        /*0060*/                   STG.E [R2.64], R0 ;
        /*0070*/                   EXIT ;
        /*0080*/                   BRA 0x80;
        /*0090*/                   NOP;
`

func TestSASS(t *testing.T) {
	f := parseSASS(listing)["_Z1kPf"]
	want := Counts{Integer: 2, Branch: 3, LoadGlobal: 1, Float: 1, StoreGlobal: 1}
	if got := f.Static(); got != want {
		t.Errorf("static: %v, want %v", &got, &want)
	}
	if l := f.loops(); len(l) != 1 || l[0].header != 2 || l[0].size != 4 {
		t.Errorf("loops: %+v", l)
	}
	marks := []mark{{what: "ld.global", per: 1}}
	if got := f.decisions(marks, countSASS); !slices.Equal(got, []int{4}) {
		t.Errorf("decisions: %v, want 4 copies", got)
	}
}

func TestPTXDecisions(t *testing.T) {
	const text = `
.visible .entry nest(
)
{
	mov.u32 	%r1, %tid.x;
$L__BB0_1:
	ld.global.f32 	%f1, [%rd1];
	ld.global.f32 	%f2, [%rd1+4];
	setp.lt.s32 	%p1, %r1, 4;
	@%p1 bra 	$L__BB0_1;
	st.global.f32 	[%rd2], %f1;
	@%p2 bra 	$L__BB0_1;
	ret;
}
`
	f := parsePTX(text)["nest"]
	marks := []mark{{what: "st.global", per: 1}, {what: "ld.global", per: 1}}
	if got := f.decisions(marks, countPTX); len(got) != 2 {
		t.Errorf("decisions: %v", got)
	}
}

// TestTables reads all tables and checks that they are whole.
func TestTables(t *testing.T) {
	list, err := readSources()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := readCases(list)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]int{}
	for _, c := range cases {
		by[c.Source.Set+" "+c.Target.Profile+" "+c.Target.Arch]++
		if c.Truth.Registers <= 0 {
			t.Errorf("%s: %d registers", c.Source.Name, c.Truth.Registers)
		}
	}
	for name, want := range map[string]int{"h100 nvcc-13 sm_90": 77, "conv nvcc-13 sm_90": 120} {
		if by[name] != want {
			t.Errorf("%s: %d kernels, want %d", name, by[name], want)
		}
	}
	loops, err := readLoops(list)
	if err != nil {
		t.Fatal(err)
	}
	if len(loops) < 60 {
		t.Errorf("%d loops, want 60", len(loops))
	}
}

// TestCommand compares a few kernels.
func TestCommand(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"--only", "transpose_naive"}, &out, &errs); code != 0 {
		t.Fatalf("status %d: %s", code, &errs)
	}
	if !strings.Contains(out.String(), "\ntranspose_naive ") {
		t.Errorf("no row:\n%s", &out)
	}
}
