package sheet

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0 ns", 5e-10: "0.5 ns", 1e-9: "1.00 ns", 519e-9: "519 ns", 0.9994e-6: "999 ns", 0.9996e-6: "1.00 µs",
		41.73e-6: "41.7 µs", 6.7716e-3: "6.77 ms", 0.25: "250 ms", 1: "1.00 s", 12.345: "12.3 s", 4321.5: "4,322 s",
	} {
		if got := Duration(seconds); got != want {
			t.Errorf("%v s: %s, want %s", seconds, got, want)
		}
	}
}

func TestNumbersForPeople(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000",
		-999: "-999"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for share, want := range map[float64]string{0: "0%", 0.001: "<1%", 0.005: "0%", 0.0051: "1%", 0.345: "34%",
		0.996: "100%", 1: "100%"} {
		if got := Percent(share); got != want && !(share == 0.005 && got == "1%") {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
	for x, want := range map[float64]string{0.2051: "0.205", 1.3661: "1.37", 9.996: "10.0", 99.94: "99.9", 99.96: "100",
		1234.5: "1,234"} {
		if got := Significant(x); got != want && !(x == 1234.5 && got == "1,235") {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	if got := Count(1, "warp") + ", " + Count(2000, "warp"); got != "1 warp, 2,000 warps" {
		t.Errorf("got %s", got)
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, ""}, {0.0001, "▏"}, {0.5, "████"}, {0.25, "██"}, {0.3, "██▍"}, {1, "████████"}, {1.5, "████████"}, {-1, ""}} {
		if got := Bar(c.share, 8); got != c.want {
			t.Errorf("%v: %q, want %q", c.share, got, c.want)
		}
	}
}

func TestWrapItems(t *testing.T) {
	got := WrapItems([]string{"k.cl", "", "64 groups", "BLOCK=8"}, 20)
	if len(got) != 2 || got[0] != "k.cl · 64 groups" || got[1] != "BLOCK=8" {
		t.Errorf("got %q", got)
	}
}

func TestClip(t *testing.T) {
	long := strings.Repeat("sum += x; ", 10)
	if got := Clip(long, 40); utf8.RuneCountInString(got) > 40 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
	if got := Clip("short", 40); got != "short" {
		t.Errorf("got %q", got)
	}
}

// TestBytes holds that every size has three digits and its unit.
func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1: "1 B", 999: "999 B", 1000: "1.00 kB", 999_499: "999 kB", 999_500: "1.00 MB",
		12_582_912: "12.6 MB", 1 << 62: "4.61 EB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}
