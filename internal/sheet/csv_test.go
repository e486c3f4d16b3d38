package sheet

import "testing"

// TestHarmless: no cell begins as a formula does, and each can be read back.
func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", "=1+2": "'=1+2", "@sum": "'@sum", "\tx": "'\tx",
		"\rx": "'\rx", "'": "'", "'a": "'a", "'=1": "''=1", "-1.5": "-1.5", "a=b": "a=b"} {
		got := Harmless(text)
		if got != want || Told(got) != text {
			t.Errorf("%q becomes %q, and that %q; want %q", text, got, Told(got), want)
		}
	}
}
