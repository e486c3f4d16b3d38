package main

import "testing"

// TestBytesText holds that every size has three digits and its unit.
func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 999: "999 B", 1000: "1.00 kB", 999_499: "999 kB", 999_500: "1.00 MB",
		12_582_912: "12.6 MB", 1 << 62: "4.61 EB",
	} {
		if got := bytesText(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}
