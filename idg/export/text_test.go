package export

import "testing"

func TestWarpList(t *testing.T) {
	for want, warps := range map[string][]uint32{
		"warp 0": {0}, "warps 0-1": {0, 1}, "warps 0,2": {0, 2}, "warps 0-2,5,7-9": {0, 1, 2, 5, 7, 8, 9},
	} {
		if got := warpList(warps); got != want {
			t.Errorf("%v: %q, want %q", warps, got, want)
		}
	}
}
