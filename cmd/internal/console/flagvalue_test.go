package console

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestParseNumbers(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
		err  string
	}{
		{"1", 1, ""}, {"0x10", 16, ""}, {"64", 64, ""}, {"65", 0, "65 is more than 64"}, {"0", 0, "0 is less than 1"},
		{"-3", 0, "-3 is less than 1"}, {"1.5", 0, `"1.5" is not a whole number`}, {"", 0, `"" is not a whole number`},
		{"99999999999999999999", 0, "99999999999999999999 is too large"},
	} {
		got, err := ParseBetween(1, 64)(c.text)
		if c.err == "" && (err != nil || got != c.want) || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%q: %d, %v; want %d, %s", c.text, got, err, c.want, c.err)
		}
	}
}

func TestStatusHelpListsEveryStatus(t *testing.T) {
	strict := &cobra.Command{}
	strict.Flags().Bool("strict", false, "")
	if got := StatusHelp(strict); !strings.Contains(got, "  4    information is missing under --strict\n") ||
		!strings.Contains(got, "  130  interrupted\n") {
		t.Errorf("got\n%s", got)
	}
	if strings.Contains(StatusHelp(&cobra.Command{}), "strict") {
		t.Error("a command without --strict speaks of it")
	}
}
