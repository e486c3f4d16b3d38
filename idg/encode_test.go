package idg

import (
	"encoding/json"
	"testing"
)

func TestText(t *testing.T) {
	for s, want := range map[string]string{"": "", "a\xffb\xfe\xfe": "a\uFFFDb\uFFFD\uFFFD",
		"\xed\xa0\x80": "\uFFFD\uFFFD\uFFFD", "\x00\x1f\x7f": "\x00\x1f\x7f",
		"é\"\\\n\r\t/<&>": "é\"\\\n\r\t/<&>", "\U0001D11E\u2028": "\U0001D11E\u2028"} {
		var e encoder
		e.text(s)
		var got string
		if err := json.Unmarshal(e.buf, &got); err != nil || got != want {
			t.Errorf("%q is written as %s (%v)", s, e.buf, err)
		}
	}
}
