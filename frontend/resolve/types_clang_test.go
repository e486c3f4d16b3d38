package resolve

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/test/tools"
)

// oracleParams are what the random expressions are made of.
const oracleParams = `bool b, char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul, float f, double d,
	char4 c4, uchar4 uc4, int4 i4, uint4 u4, long4 l4, float4 f4, float2 f2, int2 i2, double4 d4,
	__global float *p, __local int *q, __global float4 *v`

// oracleExpr writes a random expression of OpenCL C.
func oracleExpr(r *rand.Rand, depth int) string {
	if depth == 0 {
		leaves := []string{"b", "c", "uc", "s", "us", "i", "ui", "l", "ul", "f", "d", "c4", "uc4", "i4", "u4", "l4",
			"f4", "f2", "i2", "d4",
			"p[i]", "q[1]", "v[0]", "1", "2u", "3l", "0.5f", "0.25", "'a'", "f4.xy", "i4.s3", "u4.lo", "d4.w",
			"f4.wzyx", "v->x", "*p"}
		return leaves[r.IntN(len(leaves))]
	}
	x, y := oracleExpr(r, depth-1), oracleExpr(r, r.IntN(depth))
	switch r.IntN(11) {
	case 10:
		// Floats as arguments of integer functions are a mistake that clang lets
		// pass by its rules of overloading.
		ints := []string{"c", "uc", "s", "us", "i", "ui", "l", "ul", "uc4", "i4", "u4", "l4", "i2", "3", "7u",
			"i4.xy", "u4.s3"}
		pick := func() string { return ints[r.IntN(len(ints))] }
		calls := []string{"abs(%[1]s)", "popcount(%[1]s)", "clz(%[1]s)", "mul24(%s, %s)", "abs_diff(%s, %s)",
			"add_sat(%s, %s)", "rotate(%s, %s)", "mul_hi(%s, %s)", "mad24(%s, %s, %[1]s)", "mad_sat(%s, %s, %[1]s)",
			"max(%s, %s)", "select(%[1]s, %[1]s, %[2]s)"}
		return fmt.Sprintf(calls[r.IntN(len(calls))]+"%[3]s", pick(), pick(), "")
	case 0:
		return "(" + x + " ? " + y + " : " + oracleExpr(r, r.IntN(depth)) + ")"
	case 1:
		return "(" + []string{"-", "~", "!", "+"}[r.IntN(4)] + x + ")"
	case 2:
		types := []string{"char", "uint", "long", "float", "double", "bool", "float4", "int4", "uchar4", "int2"}
		return "((" + types[r.IntN(len(types))] + ")(" + x + "))"
	case 3:
		calls := []string{"sin(%s)", "fabs(%s)", "native_exp(%s)", "isnan(%s)", "any(%s)", "length(%s)",
			"normalize(%s)", "convert_int4(%s)", "convert_float(%s)", "as_uint(%s)", "sign(%s)", "signbit(%s)"}
		return fmt.Sprintf(calls[r.IntN(len(calls))], x)
	case 4:
		calls := []string{"max(%s, %s)", "pow(%s, %s)", "dot(%s, %s)", "isless(%s, %s)", "fmin(%s, %s)",
			"ldexp(%s, %s)", "step(%s, %s)", "atan2(%s, %s)"}
		return fmt.Sprintf(calls[r.IntN(len(calls))], x, y)
	case 5:
		calls := []string{"fma(%s, %s, %s)", "clamp(%s, %s, %s)", "select(%s, %s, %s)", "mix(%s, %s, %s)",
			"bitselect(%s, %s, %s)"}
		return fmt.Sprintf(calls[r.IntN(len(calls))], x, x, y)
	}
	ops := []string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", "&&", "||"}
	return "(" + x + " " + ops[r.IntN(len(ops))] + " " + y + ")"
}

// TestTypesAgainstClang compares the types of random expressions with those
// that clang's OpenCL front end gives them. Whatever clang accepts must be
// accepted; where clang rejects, nothing is compared.
func TestTypesAgainstClang(t *testing.T) {
	tools.Heavy(t)
	clang := tools.Path(t, "clang", "clang")
	r := rand.New(rand.NewPCG(3, 4))
	var ours strings.Builder
	var exprs []string
	for n := range 3000 {
		e := oracleExpr(r, 1+r.IntN(2))
		exprs = append(exprs, e)
		fmt.Fprintf(&ours, "__kernel void k%d(%s) { (%s); }\n", n,
			strings.ReplaceAll(strings.ReplaceAll(oracleParams, "\n", " "), "bool b", "char b"), e)
	}
	u, err := Parse(Config{File: "k.cl", Text: ours.String(), Dialect: ast.OpenCL})
	if err != nil {
		t.Fatal(err)
	}
	// A function, not a kernel: bool is not an argument type of kernels.
	theirs := "void f(" + strings.ReplaceAll(strings.ReplaceAll(oracleParams, "\n", " "), "bool b", "char b") + ") {\n"
	for n, e := range exprs {
		k := u.Kernel("k" + strconv.Itoa(n))
		if k == nil {
			theirs += "(void)(" + e + ");\n"
			continue
		}
		ty := k.Body.Stmts[0].(*ast.ExprStmt).X.Type()
		theirs += fmt.Sprintf("_Static_assert(__builtin_types_compatible_p(__typeof__(%s), %v), \"\");\n", e, ty)
	}
	path := filepath.Join(t.TempDir(), "types.cl")
	if err := os.WriteFile(path, []byte(theirs+"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(clang, "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-fsyntax-only",
		"-w", "-ferror-limit=0", "-target", "spir64", path).CombinedOutput()
	rejected, differs := map[int]bool{}, map[int]string{}
	for _, m := range regexp.MustCompile(`types\.cl:(\d+):\d+: error: (.*)`).FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[1])
		if strings.HasPrefix(m[2], "static_assert failed") || strings.HasPrefix(m[2], "static assertion failed") {
			differs[line-2] = m[2]
		} else {
			rejected[line-2] = true
		}
	}
	compared := 0
	for n, e := range exprs {
		k := u.Kernel("k" + strconv.Itoa(n))
		switch {
		case rejected[n]:
		case k == nil:
			t.Errorf("%s: rejected, which clang accepts: %v", e, u.BrokenKernel("k"+strconv.Itoa(n)).Err)
		case differs[n] != "":
			t.Errorf("%s: we say %v: %s", e, k.Body.Stmts[0].(*ast.ExprStmt).X.Type(), differs[n])
		default:
			compared++
		}
	}
	if compared < len(exprs)/4 {
		t.Errorf("only %d of %d expressions compared: %.500s", compared, len(exprs), out)
	}
}
