package idg

import "testing"

// TestScalarRegisters counts by hand the registers of a lane where a warp has registers of
// its own.
func TestScalarRegisters(t *testing.T) {
	type in = listedInstr
	for _, c := range []struct {
		name    string
		program []in
		want    int
	}{
		{"what comes from arguments takes none", []in{{"add.s32", 0, nil}, {"mul.wide.s32", 0, []Executed{0}}, {"add.s64", 0, []Executed{1}}}, 0},
		{"what comes from a work-item id does", []in{{"index.s32", 0, nil}, {"mul.wide.s32", 0, []Executed{0}}, {"add.s64", 0, []Executed{1}}}, 2},
		{"a counter takes none", []in{{"loop", 0, nil}, {"loop", 0, []Executed{0}}, {"loop", 0, []Executed{1}}}, 0},
		{"floating-point numbers do, whatever they come from", []in{{"cvt.f32.s32", 0, nil}, {"add.f32", 0, []Executed{0}}}, 1},
		{"and what comes from them", []in{{"cvt.f32.s32", 0, nil}, {"cvt.s32.f32", 0, []Executed{0}}, {"add.s32", 0, []Executed{1}}}, 1},
		{"a load of constant memory takes none", []in{{"ld.constant", 16, nil}, {"setp.s32", 0, []Executed{0}}}, 0},
		{"where its address is the same in all lanes", []in{{"index.s32", 0, nil}, {"ld.constant", 16, []Executed{0}}, {"setp.s32", 0, []Executed{1}}}, 4},
		{"nor does one of global memory", []in{{"ld.global", 4, nil}, {"setp.s32", 0, []Executed{0}}}, 0},
		{"unless it is stored to before", []in{{"st.global", 4, nil}, {"ld.global", 4, nil}, {"setp.s32", 0, []Executed{1}}}, 1},
		{"a load of local memory does", []in{{"ld.local", 4, nil}, {"setp.s32", 0, []Executed{0}}}, 1},
	} {
		if got := listedGraph(t, c.program).EstimateRegisters(InScalarRegisters); got != c.want {
			t.Errorf("%s: %d registers, want %d", c.name, got, c.want)
		}
	}
}
