package main

import "testing"

func TestParseSpan(t *testing.T) {
	for text, want := range map[string]span{"100:500": {100, 500}, ":500": {0, 500}, "100:": {100, 0}, ":": {}} {
		if got, err := parseSpan(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "5:5", "9:3", "-1:3", "a:b", "1:2:3"} {
		if got, err := parseSpan(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}
