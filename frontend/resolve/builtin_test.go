package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
)

// sampleArg is an argument for a code of a signature, with the generic type
// float or int, scalar or with lanes.
func sampleArg(code, generic, lanes string) string {
	pointer := strings.HasPrefix(code, "*")
	switch strings.TrimPrefix(code, "*") {
	case "f", "g", "i", "s", "t":
		code = generic + lanes
	case "n", "m":
		code = "int" + lanes
	case "dim":
		return "1"
	case "...":
		return ""
	default:
		code = strings.TrimPrefix(code, "*")
	}
	if pointer {
		return "&v_" + code
	}
	return "v_" + code
}

// builtinCall is a call of a function of the tables, and what it gives.
type builtinCall struct {
	builtins.Overload
	text, result string
}

// callsOfTable calls each entry of a dialect's table with arguments of the declared types, scalar and (in OpenCL)
// vector.
func callsOfTable(overloads []builtins.Overload, widths []string) (calls []builtinCall) {
	for _, o := range overloads {
		result, codes := builtins.SplitSignature(o.Signature)
		generic := "float"
		if slices.Contains(codes, "i") || slices.Contains(codes, "t") || o.Function.Class == builtins.Atomic {
			generic = "int"
		}
		for _, w := range widths {
			if w != "" && (o.Function.Class == builtins.Atomic || !slices.ContainsFunc(codes, builtins.IsGeneric)) ||
				o.Function.Class == builtins.Geometric && w == "16" {
				continue
			}
			var args []string
			for _, code := range codes {
				args = append(args, sampleArg(code, generic, w))
			}
			calls = append(calls, builtinCall{o, o.Name + "(" + strings.Join(args, ", ") + ")",
				wantResult(result, generic, w)})
		}
	}
	return calls
}

// TestEveryBuiltinCanBeCalled checks the canonical name and the type of every call of the tables.
func TestEveryBuiltinCanBeCalled(t *testing.T) {
	for _, d := range []ast.Dialect{ast.OpenCL, ast.CUDA} {
		table, head, widths := builtins.OpenCL(), "__kernel void k(__global float *a) {\n", []string{"", "3", "16"}
		if d == ast.CUDA {
			table, head, widths = builtins.CUDA(), "__global__ void k(float *a) {\n", []string{""}
		}
		text := head
		for _, ty := range []string{"uchar", "float", "int", "uint", "long", "ulong", "double"} {
			for _, w := range widths {
				text += fmt.Sprintf("%s%s v_%[1]s%[2]s;\n", ty, w)
			}
		}
		calls := callsOfTable(table.Overloads, widths)
		for _, c := range calls {
			text += c.text + ";\n"
		}
		stmts := mustParse(t, d, text+"}").Kernels[0].Body.Stmts
		stmts = stmts[len(stmts)-len(calls):]
		for i, c := range calls {
			x := stmts[i].(*ast.ExprStmt).X
			got, ok := x.(*ast.BuiltinCall)
			if !ok || got.Builtin.Name != c.Function.Name || got.Builtin.Class != c.Function.Class {
				t.Errorf("%v: %s gives %s", d, c.text, ast.ExprString(x))
			} else if c.result != "" && got.T.String() != c.result {
				t.Errorf("%v: %s has type %v, want %s", d, c.text, got.T, c.result)
			}
		}
	}
}

func wantResult(code, generic, lanes string) string {
	switch code {
	case "f", "g", "i", "s", "t":
		return generic + lanes
	case "n":
		return "int" + lanes
	case "u":
		return "u" + generic + lanes
	case "e":
		return generic
	case "r":
		return "int" + lanes
	}
	return code
}

// TestCalls types calls whose name or arguments decide more than the table.
func TestCalls(t *testing.T) {
	const cl, cu = ast.OpenCL, ast.CUDA
	for _, c := range []struct {
		d          ast.Dialect
		call, want string
	}{
		{cl, "fmax(f, 0.0)", "fmax.float(f, 0.0f)"},
		{cl, "fmax(f, d)", "fmax.double((double)(f), d)"},
		{cl, "pow(f, 2)", "pow.float(f, 2.0f)"},
		{cl, "native_sin(d)", "native_sin.float((float)(d))"},
		{cl, "mul24(l, u)", "mul24.uint((uint)(l), u)"},
		{cl, "mad24(uc, uc, 1)", "mad24.int((int)(uc), (int)(uc), 1)"},
		{cl, "sqrt(2)", "sqrt.float(2.0f)"},
		{cu, "sqrt(2)", "sqrt.double(2.0)"},
		{cu, "fmax(f, 0.0)", "fmax.double((double)(f), 0.0)"},
		{cu, "fmaxf(f, 0.0)", "fmax.float(f, 0.0f)"},
		{cl, "max(i, 3)", "max.int(i, 3)"},
		{cl, "min(uc, 5)", "min.uchar(uc, (uchar)5)"},
		{cl, "min(i, u)", "min.uint((uint)(i), u)"},
		{cl, "min((uchar)1, uc)", "min.uchar((uchar)1, uc)"},
		{cl, "max(i, 0.5f)", "max.float((float)(i), 0.5f)"},
		{cl, "clamp(v, 0.0f, 1.0f)", "clamp.float4(v, (float4)(0.0f), (float4)(1.0f))"},
		{cl, "abs(i)", "abs.uint(i)"},
		{cu, "abs(i)", "abs.int(i)"},
		{cu, "abs(f)", "fabs.float(f)"},
		{cl, "isnan(d)", "isnan.int(d)"},
		{cl, "isless(v, v)", "isless.int4(v, v)"},
		{cl, "dot(v, v)", "dot.float(v, v)"},
		{cl, "convert_int(f)", "(cast int)(f)"},
		{cl, "convert_uchar4_sat(v)", "(cast sat uchar4)(v)"},
		{cl, "convert_int4_rte(v)", "(cast rte int4)(v)"},
		{cl, "convert_uchar_sat_rtz(f)", "(cast sat rtz uchar)(f)"},
		{cl, "convert_float(3)", "3.0f"},
		{cl, "as_uint(f)", "bits<uint>(f)"},
		{cl, "as_float4(as_int4(v))", "bits<float4>(bits<int4>(v))"},
		{cl, "vload4(i, a)", "vload4.float4(i, a)"},
		{cl, "vload_half(i, h)", "(cast float)(h[i])"},
		{cl, "vload_half2(i, h)", "(cast float2)(vload2.half2(i, h))"},
		{cl, "vstore3((float3)(f), 1, a)", "vstore3.void((cast float3)(f), 1, a)"},
		{cl, "vstore_half_rtz(f, i, h)", "h[i] = (cast rtz half)(f)"},
		{cl, "get_global_id(5)", "0ul"},
		{cl, "get_local_size(3)", "1ul"},
		{cl, "get_local_id(1 - 1)", "get_local_id.ulong(0)"},
		{cl, "atom_inc(p)", "atomic_inc.int(p)"},
		{cl, "atomic_fetch_add_explicit(p, 2, 0, 0)", "atomic_add.int(p, 2)"},
		{cl, "atomic_xchg(a, 1)", "atomic_xchg.float(a, 1.0f)"},
		{cl, "sincos(f, &g)", "sincos.float(f, &g)"},
		{cl, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "barrier.void(3u)"},
		{cl, "select(v, v, v > f)", "select.float4(v, v, (v >.float (float4)(f)))"},
		{cl, "vec_step(v)", "4"},
		{cu, "__syncthreads()", "barrier.void(3u)"},
		{cu, "threadIdx.x", "get_local_id.uint(0)"},
		{cu, "blockIdx.y", "get_group_id.uint(1)"},
		{cu, "blockDim.z", "get_local_size.uint(2)"},
		{cu, "gridDim.x", "get_num_groups.uint(0)"},
		{cu, "warpSize", "get_sub_group_size.int()"},
		{cu, "__expf(f)", "native_exp.float(f)"},
		{cu, "__fdividef(f, 2)", "native_divide.float(f, 2.0f)"},
		{cu, "__fmul_rn(f, f)", "mul_rte.float(f, f)"},
		{cu, "__fsqrt_ru(f)", "sqrt_rtp.float(f)"},
		{cu, "__frcp_rd(f)", "recip_rtn.float(f)"},
		{cu, "__fma_rz(d, d, d)", "fma_rtz.double(d, d, d)"},
		{cu, "__hadd_rn(h, h)", "add_rte.half(h, h)"},
		{cu, "__hmul2_rn(v2, v2)", "mul_rte.half2(v2, v2)"},
		{cu, "__hmul(b, b)", "(b * b)"},
		{cu, "__hmul_rn(b, b)", "mul_rte.__nv_bfloat16(b, b)"},
		{cu, "__hmax_nan(h, h)", "fmax_nan.half(h, h)"},
		{cu, "__hmin2_nan(v2, v2)", "fmin_nan.half2(v2, v2)"},
		{cu, "__hfma_relu(b, b, b)", "fmax_nan.__nv_bfloat16(fma.__nv_bfloat16(b, b, b), 0.0)"},
		{cu, "__hsub_sat(h, h)", "fmin.half(fmax.half((h - h), 0.0h), 1.0h)"},
		{cu, "__float_as_int(f)", "bits<int>(f)"},
		{cu, "__int_as_float(i)", "bits<float>(i)"},
		{cu, "__float2int_rz(f)", "(cast rtz int)(f)"},
		{cu, "__int2float_rn(i)", "(cast rte float)(i)"},
		{cu, "__float2uint_rd(f)", "(cast rtn uint)(f)"},
		{cu, "__ldg(&a[i])", "a[i]"},
		{cu, "__saturatef(f)", "clamp.float(f, 0.0f, 1.0f)"},
		{cu, "make_float4(1, f, i, 2.0)", "(float4){1.0f, f, (float)(i), 2.0f}"},
		{cu, "sincosf(f, &g, a)", "g = sincos.float(f, a)"},
		{cu, "__sincosf(f, &g, a)", "g = native_sincos.float(f, a)"},
		{cu, "atomicAdd(&a[1], f)", "atomic_add.float(&a[1], f)"},
		{cu, "atomicCAS(p, 0, 1)", "atomic_cmpxchg.int(p, 0, 1)"},
		{cu, "__umulhi(i, u)", "mul_hi.uint((uint)(i), u)"},
		{cu, "min(i, 3u)", "min.uint((uint)(i), 3u)"},
	} {
		head := "__kernel void k(__global float *a, __global int *p, __global half *h) { float4 v;"
		if c.d == ast.CUDA {
			head = "__global__ void k(float *a, int *p) { float4 v; half h; half2 v2; __nv_bfloat16 b;"
		}
		u := mustParse(t, c.d, head+"float f, g; double d; int i; uint u; uchar uc; long l;\n"+c.call+";\n}")
		body := u.Kernels[0].Body.Stmts
		if got := ast.ExprString(body[len(body)-1].(*ast.ExprStmt).X); got != c.want {
			t.Errorf("%v: %s gives %s, want %s", c.d, c.call, got, c.want)
		}
		for _, s := range body {
			if decl, ok := s.(*ast.Decl); ok && decl.Obj.AddressTaken {
				t.Errorf("%v: %s keeps %s from a register", c.d, c.call, decl.Obj.Name)
			}
		}
	}
}

// TestPointersOfBuiltins: a result is stored where the type is that of the parameter, or an integer of its size.
func TestPointersOfBuiltins(t *testing.T) {
	for call, wrong := range map[string]bool{
		"fract(x, &f)": false, "frexp(x, &i)": false, "frexp(x, &u)": false, "fract(v, &w)": false, "frexp(v, &j)": false,
		"fract(x, &i)": true, "fract(x, &d)": true, "fract(x, &w)": true, "fract(x, f)": true, "frexp(x, &s)": true,
		"frexp(x, &f)": true, "frexp(x, &j)": true, "frexp(v, &i)": true,
	} {
		_, err := Parse(Config{File: "k.cl", Dialect: ast.OpenCL, Text: "kernel void k(global float *o, float x, float2 v) { float f; double d; " +
			"float2 w; int i; uint u; short s; int2 j; o[0] = length(" + call + "); }"})
		if (err != nil) != wrong {
			t.Errorf("%s, want an error: %t: %v", call, wrong, err)
		}
	}
}
