package kernels_test

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

func TestParsePTX(t *testing.T) {
	k, err := parse(sum, "sum")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"_Z3sumPfi_param_0", "_Z3sumPfi_param_1", "_Z3sumPfi_param_2"}; !slices.Equal(k.params, want) {
		t.Errorf("parameters %q, want %q", k.params, want)
	}
	var next [][]int
	var ops []string
	for _, b := range k.blocks {
		next = append(next, b.next)
		for i := range b.code {
			in := &b.code[i]
			ops = append(ops, strings.TrimSpace(in.op+" "+in.callee()))
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
	if loops := k.loops(k.all()); len(loops) != 1 || !slices.Equal(loops[0], []int{2}) {
		t.Errorf("loops %v, want block 2", loops)
	}
	if _, err := parse(sum, "su"); err == nil {
		t.Error("an entry that does not exist is found")
	}
	if _, err := parse(strings.ReplaceAll(sum, "bra 	$L__BB0_4", "bra 	$L__BB0_9"), "sum"); err == nil ||
		!strings.Contains(err.Error(), "BB0_9") {
		t.Errorf("unknown label: error %v", err)
	}
}
