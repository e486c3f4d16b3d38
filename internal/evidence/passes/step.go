package passes

// Step is a pass of both compilers behind the same ones before it.
type Step struct {
	Name string   // ours
	LLVM string   // theirs
	Ours []string // steps of pass.List, the last one with what tidies up behind it
	Opt  string   // the argument of opt -passes
}

// Steps are the passes that LLVM has, too. Where one of them leaves to instcombine or simplifycfg what the other does
// itself, both run those behind it.
var Steps = []Step{
	{"promote", "sroa", []string{"promote"}, "sroa"},
	{"simplify", "instcombine", []string{"promote", "simplify"}, "sroa,instcombine"},
	{"ifconvert", "simplifycfg", []string{"promote", "simplify", "ifconvert", "simplify"},
		"sroa,instcombine,simplifycfg<hoist-common-insts>,instcombine"},
	{"reassociate", "reassociate", []string{"promote", "simplify", "reassociate", "simplify"},
		"sroa,instcombine,reassociate,instcombine"},
	{"sink", "sink", []string{"promote", "simplify", "sink"}, "sroa,instcombine,sink"},
	{"gvn", "early-cse", []string{"promote", "simplify", "gvn", "simplify"},
		"sroa,instcombine,early-cse<memssa>,instcombine"},
	{"gvn", "gvn", []string{"promote", "simplify", "gvn", "simplify"}, "sroa,instcombine,gvn,instcombine"},
	{"rotate", "loop-rotate", []string{"promote", "simplify", "rotate", "simplify"},
		"sroa,instcombine,simplifycfg,loop-simplify,loop(loop-rotate),instcombine"},
	{"licm", "licm", []string{"promote", "simplify", "rotate", "licm", "simplify"},
		"sroa,instcombine,simplifycfg,loop-mssa(loop-rotate,licm),instcombine"},
	{"unswitch", "simple-loop-unswitch",
		[]string{"promote", "simplify", "rotate", "licm", "unswitch", "simplify"},
		"sroa,instcombine,simplifycfg,loop-mssa(loop-rotate,licm,simple-loop-unswitch<nontrivial>),simplifycfg," +
			"instcombine"},
	{"simplify loops", "indvars", []string{"promote", "simplify", "rotate", "licm", "simplify loops"},
		"sroa,instcombine,simplifycfg,loop-mssa(loop-rotate,licm),instcombine,loop(indvars,loop-deletion),instcombine"},
	{"unroll", "loop-unroll", []string{"promote", "simplify", "rotate", "licm", "simplify loops", "unroll",
		"unroll again", "simplify again", "gvn again"},
		"sroa,instcombine,simplifycfg,loop-mssa(loop-rotate,licm),instcombine,early-cse,loop(indvars,loop-deletion)," +
			"loop-unroll<O3;no-runtime;no-partial>,loop-unroll<O3>,instcombine,simplifycfg,gvn"},
	{"dse", "dse", []string{"promote", "simplify", "dse"}, "sroa,instcombine,dse"},
	{"vectorise", "load-store-vectorizer", []string{"promote", "simplify", "gvn", "vectorise", "dce"},
		"sroa,instcombine,gvn,load-store-vectorizer,instcombine"},
	{"dce", "adce", []string{"promote", "dce"}, "sroa,adce"},
}
