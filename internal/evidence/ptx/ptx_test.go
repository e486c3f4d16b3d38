package ptx

import (
	"slices"
	"strings"
	"testing"
)

// sum has a loop that the argument n bounds, a diverging branch, a call and a
// vector load, as clang writes them.
const sum = `
.extern .func  (.param .b32 func_retval0) _Z3cosf
(
	.param .b32 _Z3cosf_param_0
)
;
.visible .entry _Z3sumPfi(
	.param .u64 _Z3sumPfi_param_0,
	.param .u32 _Z3sumPfi_param_1,
	.param .align 16 .b8 _Z3sumPfi_param_2[16]
)
{
	.reg .pred 	%p<4>;
	.reg .b32 	%r<9>;
	// a comment; with a semicolon
	ld.param.u32 	%r1, [_Z3sumPfi_param_1];
	mov.u32 	%r2, %tid.x;
	setp.lt.s32 	%p1, %r1, 1;
	@%p1 bra 	$L__BB0_4;
	mov.u32 	%r3, 0;
$L__BB0_2:                              // =>This Inner Loop Header
	ld.global.v2.f32 	{%f1, %f2}, [%rd1+8];
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b32 param0;
	st.param.f32 	[param0+0], %f1;
	.param .b32 retval0;
	call.uni (retval0), 
	_Z3cosf, 
	(
	param0
	);
	ld.param.f32 	%f3, [retval0+0];
	} // callseq 0
	add.s32 	%r3, %r3, 2;
	setp.lt.s32 	%p2, %r3, %r1;
	@%p2 bra 	$L__BB0_2;
	setp.gt.u32 	%p3, %r2, 3;
	@%p3 bra 	$L__BB0_4;
	st.global.f32 	[%rd1], %f3;
$L__BB0_4:
	ret;
}
`

func TestParse(t *testing.T) {
	k, err := Parse(sum, "sum")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"_Z3sumPfi_param_0", "_Z3sumPfi_param_1", "_Z3sumPfi_param_2"}; !slices.Equal(k.Params, want) {
		t.Errorf("parameters %q, want %q", k.Params, want)
	}
	var next [][]int
	var ops []string
	for _, b := range k.Blocks {
		next = append(next, b.Next)
		for i := range b.Code {
			in := &b.Code[i]
			ops = append(ops, strings.TrimSpace(in.Op+" "+in.Callee()))
		}
	}
	want := [][]int{{5, 1}, {2}, {2, 3}, {5, 4}, {5}, nil}
	if !slices.EqualFunc(next, want, slices.Equal) {
		t.Errorf("blocks %v, want %v", next, want)
	}
	wantOps := "ld.param.u32,mov.u32,setp.lt.s32,bra,mov.u32,ld.global.v2.f32,st.param.f32,call.uni " +
		"_Z3cosf,ld.param.f32,add.s32,setp.lt.s32,bra,setp.gt.u32,bra,st.global.f32,ret"
	if got := strings.Join(ops, ","); got != wantOps {
		t.Errorf("instructions\n%s, want\n%s", got, wantOps)
	}
	if loops := k.Loops(k.All()); len(loops) != 1 || !slices.Equal(loops[0], []int{2}) {
		t.Errorf("loops %v, want block 2", loops)
	}
	if _, err := Parse(sum, "su"); err == nil {
		t.Error("an entry that does not exist is found")
	}
	if _, err := Parse(strings.ReplaceAll(sum, "bra 	$L__BB0_4", "bra 	$L__BB0_9"), "sum"); err == nil ||
		!strings.Contains(err.Error(), "BB0_9") {
		t.Errorf("unknown label: error %v", err)
	}
}

// TestRun counts blocks: the loop by its argument, the diverging block by the
// work items that take it.
func TestRun(t *testing.T) {
	k, err := Parse(sum, "sum")
	if err != nil {
		t.Fatal(err)
	}
	launch := Launch{Local: [3]int64{64, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32, Limit: 1000}
	for _, tt := range []struct {
		warp, n int64
		want    []int64
	}{
		{0, 7, []int64{1, 1, 4, 1, 1, 1}},
		{1, 8, []int64{1, 1, 4, 1, 0, 1}},
		{0, 0, []int64{1, 0, 0, 0, 0, 1}},
		{2, 7, []int64{0, 0, 0, 0, 0, 0}}, // there is no such work item
	} {
		launch.Warp, launch.Args = tt.warp, map[int]int64{1: tt.n}
		got, err := k.Run(launch)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("warp %d, n %d: %v, %v, want %v", tt.warp, tt.n, got, err, tt.want)
		}
	}
	launch.Warp, launch.Args = 0, nil
	if _, err := k.Run(launch); err == nil || !strings.Contains(err.Error(), "depends on data") {
		t.Errorf("without n: error %v", err)
	}
	launch.Args = map[int]int64{1: 1 << 20}
	if _, err := k.Run(launch); err == nil || !strings.Contains(err.Error(), "more than 1000 instructions") {
		t.Errorf("a long loop: error %v", err)
	}
}

// TestEvaluate executes single instructions on %r1 = -7 and %r2 = 3: the path
// of a branch on the result tells what it was.
func TestEvaluate(t *testing.T) {
	for _, tt := range []struct {
		code string // gives %r3
		want int64
	}{
		{"add.s32 %r3, %r1, %r2", -4}, {"sub.s32 %r3, %r1, %r2", -10}, {"mul.lo.s32 %r3, %r1, %r2", -21},
		{"mad.lo.s32 %r3, %r1, %r2, 5", -16}, {"mul.hi.s32 %r3, %r1, %r2", -1}, {"mul.hi.u32 %r3, %r1, %r2", 2},
		{"div.s32 %r3, %r1, %r2", -2}, {"rem.s32 %r3, %r1, %r2", -1}, {"div.u32 %r3, %r1, %r2", 1431655763},
		{"min.s32 %r3, %r1, %r2", -7}, {"min.u32 %r3, %r1, %r2", 3}, {"max.s32 %r3, %r1, %r2", 3},
		{"abs.s32 %r3, %r1", 7},
		{"neg.s32 %r3, %r1", 7}, {"not.b32 %r3, %r1", 6}, {"and.b32 %r3, %r1, %r2", 1}, {"or.b32 %r3, %r1, %r2", -5},
		{"xor.b32 %r3, %r1, %r2", -6}, {"shl.b32 %r3, %r1, 2", -28}, {"shr.s32 %r3, %r1, 1", -4},
		{"shr.u32 %r3, %r1, 28", 15},
		{"shl.b32 %r3, %r1, 32", 0}, {"popc.b32 %r3, %r2", 2}, {"cvt.s64.s32 %rd1, %r1; cvt.u32.u64 %r3, %rd1", -7},
		{"cvt.u64.u32 %rd1, %r1; shr.u64 %rd2, %rd1, 16; cvt.u32.u64 %r3, %rd2", 65535},
		{"mul.wide.s32 %rd1, %r1, %r2; cvt.u32.u64 %r3, %rd1", -21},
		{"mad.wide.s32 %rd1, %r1, 4, 8; shr.s64 %rd2, %rd1, 1; cvt.u32.u64 %r3, %rd2", -10},
		{"setp.lt.s32 %p2, %r1, %r2; selp.b32 %r3, 4, 9, %p2", 4},
		{"setp.lt.u32 %p2, %r1, %r2; selp.b32 %r3, 4, 9, %p2", 9},
		{"setp.ge.s32 %p2, %r1, %r2; not.pred %p3, %p2; selp.b32 %r3, 4, 9, %p3", 4},
		{"setp.ne.s32 %p2, %r1, -7; selp.b32 %r3, 4, 9, %p2", 9},
		{"setp.gt.f32 %p2, %f1, %f2; and.b32 %r4, %r9, 0; selp.b32 %r3, %r4, %r4, %p2", 0},
		{"setp.gt.f32 %p2, %f1, %f2; setp.lt.s32 %p3, %r2, 0; and.pred %p4, %p2, %p3; selp.b32 %r3, 4, 9, %p4", 9},
		{"setp.gt.f32 %p2, %f1, %f2; setp.gt.s32 %p3, %r2, 0; or.pred %p4, %p2, %p3; selp.b32 %r3, 4, 9, %p4", 4},
		{"mov.u32 %r3, %ntid.y", 5}, {"mov.u32 %r3, %nctaid.z", 6}, {"mov.u32 %r3, %ctaid.x", 2},
	} {
		code := strings.NewReplacer("add.s32 %r", "add.s32\t%r", "; ", ";\n\t").Replace(tt.code)
		text := ".visible .entry k(\n\t.param .u32 k_param_0\n)\n{\n\tmov.u32 %r1, -7;\n\tmov.u32 %r2, 3;\n\t" + code +
			";\n\tld.param.u32 %r5, [k_param_0];\n\tsetp.ne.s32 %p1, %r3, %r5;\n\t@%p1 bra LBB0_1;\n\tst.global.u32 " +
			"[%rd9], %r3;\nLBB0_1:\n\tret;\n}\n"
		k, err := Parse(text, "k")
		if err != nil {
			t.Fatal(err)
		}
		counts, err := k.Run(Launch{
			Local: [3]int64{1, 5, 1}, Groups: [3]int64{4, 1, 6}, Group: [3]int64{2, 0, 0}, WarpSize: 1, Limit: 100,
			Args: map[int]int64{0: tt.want},
		})
		if err != nil || len(counts) != 3 || counts[1] != 1 {
			t.Errorf("%s: %v %v, want %d", tt.code, counts, err, tt.want)
		}
	}
}
