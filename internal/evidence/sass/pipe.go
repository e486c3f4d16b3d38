package sass

import "strings"

// Pipe is what executes an instruction. The zero value is none.
type Pipe uint8

// The pipes of compute capability 8.0. Names that start with D are double precision;
// those of half precision go to Half.
const (
	Float Pipe = iota + 1 // single precision arithmetic
	// integers, logic, compares, selections, moves: on the integer units or those of Float, as ptxas balances
	Integer
	Uniform  // the same for a whole warp at once
	Double   // double precision
	Half     // half precision
	Special  // special functions and conversions
	Global   // device memory, also of private arrays
	Local    // local (shared) memory and shuffles
	Constant // reads of constant memory that are not operands
	Branch   // branches, calls, exits, reconvergence
	Barrier
	Off // none: the predicate is false for all work items
	Pipes
)

func (p Pipe) String() string {
	return [...]string{"none", "float", "integer", "uniform", "double", "half", "special", "global", "local",
		"constant", "branch", "barrier", "off"}[p]
}

var pipes = map[string]Pipe{
	"FADD": Float, "FMUL": Float, "FFMA": Float, "FADD32I": Float, "FMUL32I": Float, "FFMA32I": Float,
	"MUFU": Special, "I2F": Special, "F2I": Special, "F2F": Special, "I2I": Special, "FRND": Special, "POPC": Special,
	"FLO": Special, "BREV": Special,
	"LDG": Global, "STG": Global, "LD": Global, "ST": Global, "LDL": Global, "STL": Global, "ATOM": Global,
	"ATOMG": Global, "RED": Global,
	"LDS": Local, "STS": Local, "LDSM": Local, "ATOMS": Local, "SHFL": Local,
	"LDC": Constant,
	"BRA": Branch, "EXIT": Branch, "BSSY": Branch, "BSYNC": Branch, "CALL": Branch, "RET": Branch, "WARPSYNC": Branch,
	"BREAK": Branch, "BRX": Branch, "YIELD": Branch,
	"BAR":   Barrier,
	"HADD2": Half, "HMUL2": Half, "HFMA2": Half,
	"VOTEU": Uniform, "R2UR": Uniform, "S2UR": Uniform,
}

// Pipe tells where an instruction goes. The table of the CUDA programming guide
// ("Throughput of Native Arithmetic Instructions") groups them by rate; loads and
// stores, branches and barriers have units of their own. A move that is written as a
// multiplication (IMAD.MOV, HFMA2.MMA of zero) is a move.
func (in *Instruction) Pipe() Pipe {
	name := in.Name()
	if p, ok := pipes[name]; ok {
		if p == Half && in.constantMove() {
			return Integer
		}
		return p
	}
	switch {
	case name == "NOP":
		return 0
	case strings.HasPrefix(name, "U") && name != "UNKNOWN":
		return Uniform
	case name == "DADD" || name == "DMUL" || name == "DFMA" || name == "DSETP" || name == "DMNMX":
		return Double
	}
	return Integer
}

// constantMove tells a constant that is moved by the half precision units.
func (in *Instruction) constantMove() bool {
	return in.Op == "HFMA2.MMA" && len(in.Operands) == 5 && in.Operands[1] == "-RZ" && in.Operands[2] == "RZ"
}
