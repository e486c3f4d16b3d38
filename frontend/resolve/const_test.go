package resolve

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/test/tools"
)

// evalText types an expression at file scope of an OpenCL file and returns its
// constant value.
func evalText(t *testing.T, expr string) ctypes.Value {
	t.Helper()
	u := mustParse(t, ast.OpenCL, "__kernel void k(__global float *a) { ("+expr+"); }")
	e := u.Kernels[0].Body.Stmts[0].(*ast.ExprStmt).X
	lit, ok := e.(*ast.Literal)
	if !ok {
		t.Fatalf("%s is not constant: %s", expr, ast.ExprString(e))
	}
	return lit.Value
}

// TestConstantExpressions gives C's results: promotions, conversions and
// wrap-around of C99 6.3 and 6.5 on an LP64 machine. The shift counts of 32 and
// more are OpenCL's (6.3.j), undefined in C.
func TestConstantExpressions(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"1 + 2 * 3", "7"},
		{"7 / 2", "3"},
		{"-7 / 2", "-3"},
		{"-7 % 3", "-1"},
		{"7 % -3", "1"},
		{"7u / 2", "3u"},
		{"-1 < 0u", "0"},
		{"-1 > 0u", "1"},
		{"-1L < 0u", "1"},
		{"-1 < 0ul", "0"},
		{"2147483647 + 1", "-2147483648"},
		{"4294967295u + 1", "0u"},
		{"0u - 1", "4294967295u"},
		{"-1u", "4294967295u"},
		{"-2147483648", "-2147483648l"},
		{"0x80000000", "2147483648u"},
		{"-0x80000000", "2147483648u"},
		{"~0", "-1"},
		{"~0u", "4294967295u"},
		{"~0ul", "18446744073709551615ul"},
		{"~(uchar)0", "-1"},
		{"!0", "1"},
		{"!0.5f", "0"},
		{"(char)200", "(char)-56"},
		{"(uchar)300", "(uchar)44"},
		{"(short)70000", "(short)4464"},
		{"(uchar)255 + (uchar)1", "256"},
		{"(uint)-1", "4294967295u"},
		{"(ulong)-1", "18446744073709551615ul"},
		{"(long)0xffffffffu", "4294967295l"},
		{"(int)0xffffffffu", "-1"},
		{"(bool)3", "(bool)1"},
		{"(bool)0.25f", "(bool)1"},
		{"(bool)2 + 1", "2"},
		{"(int)3.99", "3"},
		{"(int)-3.99", "-3"},
		{"(uint)3.5f", "3u"},
		{"1 << 10", "1024"},
		{"1 << 31", "-2147483648"},
		{"1u << 31", "2147483648u"},
		{"1 << 33", "2"},
		{"1ul << 33", "8589934592ul"},
		{"-8 >> 1", "-4"},
		{"0xfffffff8u >> 1", "2147483644u"},
		{"1 << 2ul", "4"},
		{"(uchar)128 << 1", "256"},
		{"5 & 3", "1"},
		{"5 | 3", "7"},
		{"5 ^ 3", "6"},
		{"5 && 0", "0"},
		{"0 || 2", "1"},
		{"0 && 1 / 0", "0"},
		{"1 || 1 / 0", "1"},
		{"1 ? 2 : 1 / 0", "2"},
		{"0 ? 1 : 2u", "2u"},
		{"1 ? 1 : 2u", "1u"},
		{"1 ? 1 : 2.0f", "1.0f"},
		{"sizeof(int)", "4ul"},
		{"sizeof(float3)", "16ul"},
		{"sizeof(int[3][2])", "24ul"},
		{"sizeof(1.0)", "8ul"},
		{"sizeof(1.0f)", "4ul"},
		{"sizeof('a')", "4ul"},
		{"sizeof((char)1)", "1ul"},
		{"sizeof((char)1 + 1)", "4ul"},
		{"sizeof(1 / 0)", "4ul"},
		{"1.0f / 3.0f", "0.33333334f"},
		{"1.0 / 3.0", "0.3333333333333333"},
		{"1.0f / 3", "0.33333334f"},
		{"1 / 3.0", "0.3333333333333333"},
		{"0.1f + 0.2f", "0.3f"},
		{"0.1 + 0.2", "0.30000000000000004"},
		{"16777216.0f + 1", "1.6777216e+07f"},
		{"(float)16777217", "1.6777216e+07f"},
		{"(float)0.1", "0.1f"},
		{"(double)0.1f", "0.10000000149011612"},
		{"0.1f == 0.1", "0"},
		{"1.0f / 0.0f", "+Inff"},
		{"-0.5f", "-0.5f"},
		{"2.5f > 2", "1"},
		{"(float)18446744073709551615ul", "1.8446744e+19f"},
		{"(float)9007199791611905l", "9.0072e+15f"},
		{"(half)1.0f / (half)3.0f", "0.33325195h"},
		{"(half)2049", "2048.0h"},
		{"(half)70000.0f", "+Infh"},
		{"0x7fffffffffffffffL + 1", "-9223372036854775808l"},
		{"(-0x7fffffffffffffffL - 1) / -1", "-9223372036854775808l"},
		{"18446744073709551615ul / 10", "1844674407370955161ul"},
		{"18446744073709551615ul % 10", "5ul"},
		{"18446744073709551615ul > 1", "1"},
		{"'a' - 'A'", "32"},
		{"+(char)5", "5"},
	} {
		if got := evalText(t, c.expr).String(); got != c.want {
			t.Errorf("%s = %s, want %s", c.expr, got, c.want)
		}
	}
}

// exprGenerator writes random integer constant expressions without undefined
// behaviour: signed operands stay small.
type exprGenerator struct{ r *rand.Rand }

func (g exprGenerator) expr(depth int) string {
	if depth == 0 {
		literals := []string{"0", "1", "3", "7u", "12", "200", "0xffffffffu", "5ul", "9L", "'z'", "(char)77",
			"(uchar)250", "(short)-9", "-4", "(ushort)65535"}
		return literals[g.r.IntN(len(literals))]
	}
	x, y := g.expr(depth-1), g.expr(depth-1)
	switch g.r.IntN(12) {
	case 0:
		return "(" + x + " ? " + y + " : " + g.expr(depth-1) + ")"
	case 1:
		return "(~" + x + ")"
	case 2:
		return "(!" + x + ")"
	case 3:
		casts := []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}
		return "((" + casts[g.r.IntN(len(casts))] + ")" + x + ")"
	case 4:
		return "((" + x + ") >> ((" + y + ") & 7))"
	case 5:
		return "((uint)(" + x + ") << ((" + y + ") & 7))"
	case 6:
		return "(" + x + " / ((" + y + " & 15) + 1))"
	case 7:
		return "(" + x + " % ((" + y + " & 15) + 1))"
	}
	ops := []string{"&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||"}
	return "(" + x + " " + ops[g.r.IntN(len(ops))] + " " + y + ")"
}

var cTypes = map[ctypes.Kind]string{ctypes.Char: "signed char", ctypes.UChar: "unsigned char", ctypes.Short: "short",
	ctypes.UShort: "unsigned short", ctypes.Int: "int", ctypes.UInt: "unsigned", ctypes.Long: "long",
	ctypes.ULong: "unsigned long"}

// TestConstantsAgainstClang lets clang confirm the value and the type of random
// expressions.
func TestConstantsAgainstClang(t *testing.T) {
	clang := tools.Path(t, "clang", "clang")
	g := exprGenerator{rand.New(rand.NewPCG(1, 2))}
	var kernel, c strings.Builder
	var exprs []string
	kernel.WriteString("__kernel void k(__global float *a) {\n")
	for range 1000 {
		e := g.expr(3)
		exprs = append(exprs, e)
		kernel.WriteString(e + ";\n")
	}
	kernel.WriteString("}")
	u := mustParse(t, ast.OpenCL, kernel.String())
	c.WriteString("typedef signed char schar; typedef unsigned char uchar; typedef unsigned short ushort; typedef " +
		"unsigned uint; typedef unsigned long ulong;\n")
	stmts := u.Kernels[0].Body.Stmts
	if len(stmts) != len(exprs) {
		t.Fatalf("%d statements of %d", len(stmts), len(exprs))
	}
	for i, s := range stmts {
		lit, ok := s.(*ast.ExprStmt).X.(*ast.Literal)
		if !ok {
			t.Fatalf("%s is not folded", exprs[i])
		}
		e := strings.ReplaceAll(exprs[i], "(char)", "(schar)")
		fmt.Fprintf(&c, "_Static_assert((%s) == (%s)%dull && __builtin_types_compatible_p(__typeof__(%s), %s), "+
			"\"%d\");\n", e, cTypes[lit.T.Kind], uint64(lit.Value.Int), e, cTypes[lit.T.Kind], i)
	}
	path := filepath.Join(t.TempDir(), "constants.c")
	if err := os.WriteFile(path, []byte(c.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(clang, "-fsyntax-only", "-w", path).CombinedOutput(); err != nil {
		t.Errorf("%s", out[:min(len(out), 4000)])
	}
}
