package syntax

import (
	"strings"
	"testing"
)

// TestErrors has the position and the message of what does not parse, and that the function behind it does.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"void f() { int a = ; }", "k.cu:1:20: error[SYNTAX]: an expression is expected, not ;"},
		{"void f() { k<<<1, 2>(3); }", "error[SYNTAX]: >>> is expected behind the configuration of the launch"},
		{"void f() { typeid(int); }", "k.cu:1:12: error[UNSUPPORTED]: typeid is not supported"},
		{"}", "k.cu:1:1: error[SYNTAX]: } closes nothing"},
	} {
		f, errs := parseAll(c.source+"\nint g() { return 1; }", CUDA)
		if len(errs) == 0 || !strings.HasPrefix(errs[0].Error(), "k.cu:1:") ||
			!strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%s\n%v\nwant %s", c.source, errs, c.want)
		}
		last, ok := f.Decls[len(f.Decls)-1].(*Function)
		if !ok || last.Decl.Name.Parts[0].Ident != "g" {
			t.Errorf("%s: the function behind is lost", c.source)
		}
	}
}
