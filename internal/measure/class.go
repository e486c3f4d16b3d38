package measure

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/idg/isa"
)

// Kind is what the time of a class follows from. The zero value is invalid.
type Kind uint8

// The kinds.
const (
	Chain       Kind = iota + 1 // dependent instructions: both λ and Λ show
	Throughput                  // independent instructions, such as stores: λ alone shows
	Barrier                     // barriers of groups of several sizes
	Mix                         // β additions, then one special function
	IterBarrier                 // one addition, then one barrier
	Replacement                 // short groups, several times those that fit
	Launch                      // launches that do nothing
	Issue                       // independent instructions of one warp
	Placement                   // chains in every n-th warp of one group
	Rate                        // independent instructions, so many together as can be executed
	Stream                      // one access of each work item of groups that come and go, by the launch's time
)

// Feature is what a device needs for a class beyond OpenCL 1.2 or CUDA.
type Feature uint8

// The features.
const (
	Half    Feature = iota + 1 // half precision arithmetic
	Double                     // double precision arithmetic
	Shuffle                    // lanes of a warp read each other's registers
	BFloat                     // bfloat16 arithmetic
	Tensor                     // matrix instructions of NVIDIA's compute capability 8.0
	Group                      // matrix instructions of warp groups, of 9.0 alone
)

// features are their names in messages, and the keywords in Properties.Features.
var features = [...]struct{ name, keyword string }{{name: "none"}, Half: {"half precision", "half"},
	Double: {"double precision", "double"}, Shuffle: {"shuffles", "shuffle"}, BFloat: {"bfloat16", "bfloat16"},
	Tensor: {"tensor cores", "tensor"}, Group: {"matrix instructions of warp groups", "wgmma"}}

// String names the feature in messages.
func (f Feature) String() string { return features[f].name }

// Keyword is the feature in Properties.Features.
func (f Feature) Keyword() string { return features[f].keyword }

// Class is an instruction class: what one microbenchmark measures.
type Class struct {
	Name   string  // unique, such as "add.f32" or "ld.local.conflict4"
	Op     string  // the instruction as graphs and device files name it; "" if none is measured
	Kind   Kind    // what its time follows from
	Param  int     // of the name: conflict degree, bytes, stride in words, β, or every n-th warp; 0 if none
	With   string  // instructions executed with each that is counted, such as "setp.s32"; "" if none
	Chains []int   // independent chains in each work item
	Needs  Feature // 0 if every device has it
	Doc    string  // what the microbenchmark executes
}

// Classes returns all classes in the order in which they are measured.
func Classes() []Class { return slices.Clone(classes) }

// Sequence reports whether a device may execute several instructions for each that is counted. The first of another
// warp then finds its unit free between two of a warp that goes first: of cos.approx.f32, a multiplication and MUFU, 16
// warps of an H100 advance evenly, where of exp2.approx.f32, MUFU alone, 12 go first.
func (c Class) Sequence() bool {
	return c.With != "" || strings.HasPrefix(c.Op, "div.") ||
		isa.Parse(c.Op).Class() == isa.Special && !strings.Contains(c.Op, ".approx.")
}

// Lookup returns the class of that name.
func Lookup(name string) (Class, bool) {
	i := slices.IndexFunc(classes, func(c Class) bool { return c.Name == name })
	if i < 0 {
		return Class{}, false
	}
	return classes[i], true
}

// Chains that most classes are measured with, and those of what has one only.
var (
	several = []int{1, 2, 4}
	single  = []int{1}
)

// Memory comes first: an interrupted run has what no built-in device has of another, and most kernels need.
var classes = slices.Concat(
	global(), local(), arithmetic("f32", 0), arithmetic("s32", 0), words(), control(), atomics(), special(),
	arithmetic("f64", Double), arithmetic("f16", Half), arithmetic("bf16", BFloat)[2:3], tensor(), scheduling(),
)

func arithmetic(typ string, needs Feature) []Class {
	fused := "fma."
	if typ == "s32" {
		fused = "mad."
	}
	var list []Class
	for _, verb := range []string{"add.", "mul.", fused, "div."} {
		list = append(list, Class{Name: verb + typ, Op: verb + typ, Kind: Chain, Chains: several, Needs: needs,
			Doc: "dependent instructions"})
	}
	return list
}

// tensor are matrix instructions, which a warp executes: m16n8k16 and m16n8k8 of f16, of bf16 and of tf32, m16n8k32
// of s8, m8n8k4 of f64.
func tensor() []Class {
	var list []Class
	for _, c := range []struct{ op, variant, doc string }{
		{"hmma.16816.f32", "", "m16n8k16 of half precision, sums in single"},
		{"hmma.16816.f16", "", "m16n8k16 of half precision"},
		{"hmma.16816.f32", ".bf16", "m16n8k16 of bfloat16, sums in single precision"},
		{"hmma.1688.f32", "", "m16n8k8 of half precision, sums in single"},
		{"hmma.1688.f16", "", "m16n8k8 of half precision"},
		{"hmma.1688.tf32.f32", "", "m16n8k8 of single precision's 19 bits"},
		{"imma.16832.s32", "", "m16n8k32 of bytes"},
		{"dmma.884.f64", "", "m8n8k4 of double precision"},
	} {
		list = append(list, Class{Name: c.op + c.variant, Op: c.op, Kind: Chain, Chains: several, Needs: Tensor,
			Doc: "matrix products " + c.doc})
	}
	return append(list, Class{Name: "wgmma.m64n128k16", Op: "wgmma.m64n8", Kind: Chain, Chains: single, Needs: Group,
		Doc: "products of a warp group, half precision, sums in single, 8 columns each"})
}

func special() []Class {
	var list []Class
	for _, f := range []string{"cos", "sin", "exp2", "rsqrt", "sqrt", "recip"} {
		c := Class{Name: f + ".approx.f32", Op: f + ".approx.f32", Kind: Chain, Chains: several, Doc: "native_" + f}
		if f == "cos" || f == "sin" { // which GPUs take of turns, not of radians
			c.With = "mul.f32"
		}
		list = append(list, c)
	}
	for _, f := range []string{"cos", "sin", "exp2", "rsqrt", "sqrt"} {
		list = append(list, Class{Name: f + ".f32", Op: f + ".f32", Kind: Chain, Chains: several,
			Doc: f + " as accurate as the language asks for"})
	}
	return list
}

// words are instructions on words: conversions, shifts, selects and shuffles.
func words() []Class {
	return []Class{
		{Name: "cvt.f32.s32", Op: "cvt.f32.s32", Kind: Chain, Chains: several, Doc: "integer to single precision"},
		{Name: "cvt.s32.f32", Op: "cvt.s32.f32", Kind: Chain, Chains: several, Doc: "single precision to integer"},
		{Name: "cvt.f64.s32", Op: "cvt.f64.s32", Kind: Chain, Chains: several, Needs: Double,
			Doc: "integer to double precision"},
		{Name: "shl.s32", Op: "shl.s32", Kind: Chain, Chains: several, Doc: "left shifts"},
		{Name: "shr.s32", Op: "shr.s32", Kind: Chain, Chains: several, Doc: "right shifts"},
		{Name: "select.s32", Op: "select.s32", Kind: Chain, With: "setp.s32", Chains: several,
			Doc: "a comparison and a select"},
		{Name: "shuffle", Op: "shuffle", Kind: Chain, Chains: several, Needs: Shuffle,
			Doc: "a lane reads its neighbour's register"},
	}
}

func control() []Class {
	return []Class{
		{Name: "loop", Op: "loop", Kind: Chain, With: "add.f32", Chains: single,
			Doc: "iterations of a loop kept rolled"},
		{Name: "branch.taken", Op: "branch", Kind: Chain, With: "setp.s32 add.s32", Chains: single,
			Doc: "branches around code that is executed: a loop of one iteration, whose branch is counted"},
		{Name: "branch.not_taken", Op: "branch", Kind: Chain, With: "setp.s32 add.s32", Chains: single,
			Doc: "branches around code that is skipped"},
		{Name: "barrier", Op: "barrier", Kind: Barrier, Chains: single, Doc: "barriers, for groups of several sizes"},
		{Name: "iterative_barrier", Op: "barrier", Kind: IterBarrier, With: "add.f32", Chains: single,
			Doc: "an addition and a barrier, for groups of several sizes"},
	}
}

// degrees are the bank conflicts measured: 1 has none.
var degrees = []int{1, 2, 4, 8, 16, 32}

func local() []Class {
	var list []Class
	for _, d := range degrees {
		list = append(list, Class{Name: numbered("ld.local.conflict", d), Op: "ld.local", Kind: Chain, Param: d,
			Chains: several,
			Doc:    "reads of local memory; neighbouring lanes read words so far apart"})
	}
	for _, d := range degrees {
		list = append(list, Class{Name: numbered("st.local.conflict", d), Op: "st.local", Kind: Throughput, Param: d,
			Chains: single,
			Doc:    "writes of local memory; neighbouring lanes write words so far apart"})
	}
	return append(list, Class{Name: "ld.constant", Op: "ld.constant", Kind: Chain, Chains: several,
		Doc: "reads of constants, one address for all lanes"})
}

func global() []Class {
	var list []Class
	read := func(name string, param int, doc string) { // at addresses of 64 bits, which take two additions
		list = append(list, Class{Name: name, Op: "ld.global", Kind: Chain, Param: param, With: "add.s32 add.s32",
			Chains: several, Doc: doc})
	}
	read("ld.global", 4, "aligned, coalesced reads of device memory, 4 bytes a lane")
	read("ld.global.l2", 4, "reads of what is in L2")
	read("ld.global.l1", 4, "reads of what is in L1, where L1 caches reads")
	read("ld.global.misaligned", 4, "coalesced reads, 4 bytes off a line")
	read("ld.global.random", 4, "each lane reads a word somewhere in device memory")
	for _, n := range []int{1, 2, 8, 16} {
		read(numbered("ld.global.bytes", n), n, "coalesced reads of so many bytes a lane")
	}
	for _, n := range []int{2, 4, 8, 32} {
		read(numbered("ld.global.stride", n), n, "neighbouring lanes read words so far apart")
	}
	for _, n := range []int{4, 8, 16} {
		list = append(list, Class{Name: numbered("st.global.bytes", n), Op: "st.global", Kind: Throughput, Param: n,
			Chains: single, Doc: "coalesced writes of so many bytes a lane"})
	}
	for _, n := range []int{2, 8, 32} {
		list = append(list, Class{Name: numbered("st.global.stride", n), Op: "st.global", Kind: Throughput, Param: n,
			Chains: single, Doc: "neighbouring lanes write words so far apart"})
	}
	list = append(list, Class{Name: "st.global.misaligned", Op: "st.global", Kind: Throughput, Param: 4, Chains: single,
		Doc: "coalesced writes, 4 bytes off a line"})
	for _, n := range []int{4, 16} {
		list = append(list, Class{Name: numbered("copy.global.bytes", n), Kind: Rate, Param: n,
			With: "ld.global st.global", Chains: single, Doc: "coalesced copies of so many bytes a lane"})
	}
	for _, of := range []struct{ name, doc string }{{"read", "reads"}, {"write", "writes"}, {"copy", "copies"}} {
		list = append(list, Class{Name: "stream." + of.name, Kind: Stream, Param: 16, Chains: single,
			Doc: of.doc + " of 16 bytes by each work item, once, in the order of groups"})
	}
	return list
}

func atomics() []Class {
	var list []Class
	for _, space := range []string{"local", "global"} {
		for _, c := range []struct{ name, doc string }{{"own", "each lane updates a word of its own"},
			{"same", "all lanes update one word"}} {
			list = append(list, Class{
				Name: "atomic.add." + space + "." + c.name, Op: "atomic.add." + space, Kind: Chain,
				With:   "and.s32 add.s32",
				Chains: several, Doc: "atomic additions in " + space + " memory; " + c.doc,
			})
		}
	}
	return list
}

// scheduling are the classes that show how instructions share a compute unit and groups a device.
func scheduling() []Class {
	var list []Class
	for _, beta := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32} {
		list = append(list, Class{Name: numbered("mix.beta", beta), Kind: Mix, Param: beta, Chains: single,
			Doc: "so many additions, then one native_cos (A Eq. 43-45)"})
	}
	list = append(list, Class{Name: "issue.units", Kind: Rate, Chains: single,
		With: strings.Repeat("fma.f32 shl.s32 ", 4) + "exp2.approx.f32",
		Doc:  "multiply-adds, shifts and native_exp2, which need three units and together more than is issued"})
	list = append(list, Class{Name: "issue", Op: "add.f32", Kind: Issue, Chains: []int{8},
		Doc: "independent additions of few warps"})
	for _, n := range []int{1, 2, 4, 8} {
		list = append(list, Class{Name: numbered("placement.every", n), Op: "fma.f32", Kind: Placement, Param: n,
			Chains: []int{4},
			Doc:    "multiply-adds in every n-th warp of one group; the others are idle"})
	}
	return append(list,
		Class{Name: "replacement", Op: "add.f32", Kind: Replacement, Chains: single,
			Doc: "short groups, several times those that fit"},
		Class{Name: "launch", Kind: Launch, Chains: single, Doc: "launches that do nothing"})
}

func numbered(name string, n int) string { return name + strconv.Itoa(n) }
