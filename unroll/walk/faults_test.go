package walk_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/idg"
)

// TestFaults: barriers that some work items do not reach, accesses outside of arrays and races are told where they are
// known, and nothing else.
func TestFaults(t *testing.T) {
	const openCL = "kernel void k(global int *o, global const int *in, int n)\n{\nlocal int s[256]; int i = " +
		"get_local_id(0);\n"
	const cuda = "__global__ void k(int *o, const int *in, int n)\n{\n__shared__ int s[256]; int i = threadIdx.x;\n"
	const bar = "barrier(CLK_LOCAL_MEM_FENCE);\n"
	for _, c := range []struct {
		body, want string // in OpenCL; the body starts in line 4
		cuda       string // where it is something else; "=": the same
	}{
		// Barriers. n is 40, a group 128 work items.
		{"if (i < n) {\n" + bar + "}\no[i] = 1;", "5 BARRIER: 24 of 32 work items of warp 1 do not reach this barrier", "="},
		{"if (i & 1) {\n" + bar + "}\no[i] = 1;", "5 BARRIER: 16 of 32 work items of warp 0 do not reach this barrier", "="},
		{"if (i < 64) {\n" + bar + "}\no[i] = 1;",
			"5 BARRIER: not all warps of a group reach this barrier: barriers passed by warp 0: 1, by warp 2: 0", "="},
		{"for (int j = 0; j < i; j++) {\n" + bar + "o[i + j] = 1; }",
			"5 BARRIER: ", "="},
		{"if (i >= n) return;\ns[i] = 1;\n" + bar + "o[i] = s[0];",
			"6 BARRIER: 24 of 32 work items of warp 1 do not reach this barrier", ""},
		{"if (i >= 64) return;\ns[i] = 1;\n" + bar + "o[i] = s[0];",
			"6 BARRIER: not all warps of a group reach this barrier: barriers passed by warp 0: 1, by warp 2: 0", ""},
		{"if (n > 3) {\n" + bar + "}\no[i] = 1;", "", "="},
		{"if (in[i]) {\n" + bar + "}\no[i] = 1;", "", "="}, // not known
		{"for (int j = 0; j < n; j++) {\n" + bar + "o[i + j] = 1; }", "", "="},

		// Accesses outside of arrays.
		{"s[i + 129] = 1;\n" + bar + "o[i] = s[i];",
			"4 OUTSIDE: bytes 1024 to 1027 of s are accessed, which has 1024 bytes", "="},
		{"for (int j = 0; j <= 2000; j++) {\ns[(i + j) % 257] = 1; }\n" + bar + "o[i] = s[i];",
			"5 OUTSIDE: bytes 1024 to 1027 of s are accessed, which has 1024 bytes", "="},
		{"int p[8]; for (int j = 0; j < 8; j++) p[j] = in[j];\no[i] = p[n - i - 9];",
			"5 OUTSIDE: bytes 124 to 127 of p are accessed, which has 32 bytes", "="},
		{"const int c[8] = {1, 2, 3, 4, 5, 6, 7, 9};\no[i] = c[n - i - 9];",
			"5 OUTSIDE: bytes 124 to 127 of c are accessed, which has 32 bytes", "="},
		{"s[i] = 1;\n" + bar + "o[i] = s[255 - i];", "", "="},

		// Races.
		{"s[i] = in[i];\no[i] = s[127 - i];",
			"4 RACE: work item 64,0,0 writes byte 256 of s here, " +
				"and work item 63,0,0 reads in line 5, with no barrier between", "="},
		{"s[i] = in[i];\n" + bar + "o[i] = s[127 - i];", "", "="},
		{"s[i] = in[i];\no[i] = s[i ^ 1];", "", "="}, // in the same warp
		{"for (int j = 0; j < 3; j++) {\ns[i] = in[i + j];\n" + bar + "o[i + j] = s[127 - i]; }",
			"5 RACE: work item 63,0,0 writes byte 252 of s here, " +
				"and work item 64,0,0 reads in line 7, with no barrier between", "="},
		{"for (int j = 0; j < 3; j++) {\ns[i] = in[i + j];\n" + bar + "o[i + j] = s[127 - i];\n" + bar + "}", "", "="},
		{"s[0] = i;\n" + bar + "o[i] = s[0];",
			"4 RACE: work item 0,0,0 writes byte 0 of s here, " +
				"and work item 1,0,0 writes another value here, with no barrier between", "="},
		{"s[0] = 7;\n" + bar + "o[i] = s[0];", "", "="}, // all write the same
		{"s[i & 15] = n;\n" + bar + "o[i] = s[i];", "", "="},
		{"s[i & 31] = i;\n" + bar + "o[i] = s[i & 31];",
			"4 RACE: work item 0,0,0 writes byte 0 of s here, " +
				"and work item 32,0,0 writes another value here, with no barrier between", "="},
		{"if (in[0]) s[i] = 1;\no[i] = s[127 - i];", "", "="},                     // perhaps
		{"s[in[i]] = 1;\no[i] = s[127 - i];", "", "="},                            // somewhere
		{"atomic_inc(&s[0]);\no[i] = 1;", "", ""},                                 // no race
		{"local uchar c[128];\nc[i] = i;\n" + bar + "o[i] = c[127 - i];", "", ""}, // bytes beside each other
		{"local uchar c[130];\nc[i] = i;\no[i] = c[i + 2];",
			"5 RACE: work item 32,0,0 writes byte 32 of c here, " +
				"and work item 30,0,0 reads in line 6, with no barrier between", ""},
	} {
		for _, level := range levels {
			check := func(file, text, want string) {
				u := unit(t, file, text)
				o := parsed(t, level+" --local 128 --arg n=40")
				o.Source = idg.Source{File: file, Dialect: map[string]string{"k.cl": "opencl", "k.cu": "cuda"}[file]}
				_, notes, err := execute(u, u.Kernels[0], o)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, e := range notes {
					if e.Code == "BARRIER" || e.Code == "OUTSIDE" || e.Code == "RACE" {
						got = append(got, fmt.Sprintf("%d %s: %s", e.Pos.Line, e.Code, e.Message))
					}
				}
				if s := strings.Join(got, "\n"); s != want && (want == "" || !strings.HasPrefix(s, want)) {
					t.Errorf("%s, %s:\n%s\ngot %s\nwant %s", file, level, text, s, want)
				}
			}
			check("k.cl", openCL+c.body+"\n}", c.want)
			if c.cuda == "=" {
				check("k.cu", cuda+strings.ReplaceAll(c.body, bar, "__syncthreads();\n")+"\n}", c.want)
			} else if c.want != "" && !strings.Contains(c.body, "local") {
				check("k.cu", cuda+strings.ReplaceAll(c.body, bar, "__syncthreads();\n")+"\n}", "")
			}
		}
	}
}
