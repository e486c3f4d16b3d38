package words

import "testing"

// TestSay: sentences change, names do not.
func TestSay(t *testing.T) {
	for _, c := range []struct {
		dialect    string
		amd        bool
		text, want string
	}{
		{"cuda", false, "64x64 groups of 16x16 work items", "64x64 blocks of 16x16 threads"},
		{"cuda", false, "32 groups per compute unit", "32 blocks per SM"},
		{"cuda", false, "the registers of a compute unit", "the registers of an SM"},
		{"cuda", false, "each work item exchanges values in local memory", "each thread exchanges values in shared memory"},
		{"cuda", false, "spilled to private memory; Local memory has 48 KB", "spilled to local memory; Shared memory has 48 KB"},
		{"cuda", false, "give --groups N or --group-kinds edges", "give --groups N or --group-kinds edges"},
		{"cuda", false, "a warp group of get_group_id() in group.cu, 'group'", "a warp group of get_group_id() in group.cu, 'group'"},
		{"cuda", false, "private arrays", "local arrays"},
		{"hip", true, "a warp of a work group waits for local memory", "a wavefront of a block waits for LDS"},
		{"hip", false, "warps of a group", "warps of a block"},
		{"opencl", true, "8 warps of a group", "8 wavefronts of a group"},
		{"opencl", false, "8 warps of a group", "8 warps of a group"},
	} {
		if got := For(c.dialect, c.amd).Say(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.dialect, got, c.want)
		}
	}
}
