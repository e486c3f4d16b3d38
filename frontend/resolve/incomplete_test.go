package resolve

import (
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// TestIncompleteStructs: a pointer to a struct that is declared only can be kept, passed, compared and
// stored; what needs to know the struct is an error at its place.
func TestIncompleteStructs(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"o[0] = 1;", ""},
		{"S *t = s; if (o[1] > 0) t = 0; o[0] = t == s;", ""},
		{"S *t = &*s, *u = &(*s); o[0] = t == u;", ""},
		{"S *a[2]; a[0] = s; o[0] = a[0] != 0;", ""},
		{"o[0] = ((float *)s)[1];", ""},
		{"f(*s, o);", ""},
		{"C *d = c; o[0] = d != 0;", ""},
		{"o[0] = *s;", "4:47: error[TYPE]: assignment: a value of type float is needed, this is S"},
		{"o[0] = s->x;", "4:50: error[TYPE]: a pointer to the incomplete type S cannot"},
		{"o[0] = s[1];", "4:48: error[TYPE]: a subscript on a pointer to the incomplete type S"},
		{"s++;", "4:41: error[TYPE]: arithmetic on a pointer to the incomplete type S"},
		{"--s;", "4:40: error[TYPE]: arithmetic on a pointer to the incomplete"},
		{"s += 1;", "4:42: error[TYPE]: arithmetic on a pointer to the incomplete"},
		{"o[0] = s - s;", "4:49: error[TYPE]: arithmetic on a pointer to the incomplete"},
		{"*s = *s;", "4:40: error[TYPE]: a pointer to the incomplete type S cannot"},
		{"auto t = *s;", "4:49: error[TYPE]: an object of the incomplete type S"},
		{"o[0] = (*s).x;", "4:48: error[TYPE]: a pointer to the incomplete type S cannot"},
		{"S &r = *s; o[0] = &r == s;", ""},
		{"o[0] = sizeof(*s);", "a pointer to the incomplete type S cannot"},
		{"o[0] = v->x;", ""},
	} {
		u,
			err := Parse(Config{File: "k", Text: "struct S; class C;\n" +
			"struct V; struct V { virtual void f(); float x; };\n" +
			"__device__ void f(S &s, float *o) { o[0] = &s != 0; }\n" +
			"__global__ void k(S*s,C*c,V*v,float*o){" + c.body + "}\n", Dialect: ast.CUDA})
		switch {
		case err != nil && c.want == "":
			t.Errorf("%s: %v", c.body, err)
		case err == nil && c.want != "":
			t.Errorf("%s: no error\n%v", c.body, u)
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: got %v, want %s", c.body, err, c.want)
		}
	}
}
