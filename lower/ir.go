package lower

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Pos is a position in the user's source text.
type Pos = diag.Pos

// Space is an address space.
type Space = idg.Space

// Reg names a virtual register of a kernel: a temporary or a scalar variable.
// Variables may be assigned many times; there are no phis. The zero value means
// "none".
type Reg uint32

// ObjectID names a memory object of a kernel: a buffer that a pointer parameter
// points to, or an array. The zero value means "none".
type ObjectID uint32

// LoopID and BranchID name a kernel's loops and branches, from 1 in the order
// in which they appear after inlining.
type (
	LoopID   uint32
	BranchID uint32
)

// Label names a statement that Leave can leave or Continue can continue: a
// Loop, a Switch or a Region. The zero value means "none".
type Label uint32

// Kernel is a kernel in structured, typed form with every helper function
// inlined.
type Kernel struct {
	Name      string
	Pos       Pos
	Params    []Param
	Regs      []RegInfo // Regs[r-1]
	Objects   []Object  // Objects[id-1]
	Body      Block
	Loops     []*Loop // by LoopID - 1
	Branches  []*If   // by BranchID - 1
	Accuracy  Accuracy
	Warnings  diag.List
	GroupSize [3]int64 // of reqd_work_group_size; zeros: any
	// GrownRegisters is how many registers some of the warps have after the launch, given back by others
	// (setmaxnreg.inc); 0: none.
	GrownRegisters int
	Shifts         []*Instr // by constants that are not below the width
}

// Outline is what there is to know of a kernel but for its statements, which may take much memory.
func (k *Kernel) Outline() *Kernel {
	o := *k
	o.Body, o.Regs = nil, nil
	o.Loops, o.Branches = make([]*Loop, len(k.Loops)), make([]*If, len(k.Branches))
	for i, l := range k.Loops {
		loop := *l
		loop.Cond, loop.Body, loop.Post = nil, nil, nil
		o.Loops[i] = &loop
	}
	for i, b := range k.Branches {
		branch := *b
		branch.Then, branch.Else = nil, nil
		o.Branches[i] = &branch
	}
	return &o
}

// Reg returns the description of a register.
func (k *Kernel) Reg(r Reg) *RegInfo { return &k.Regs[r-1] }

// Object returns the description of a memory object.
func (k *Kernel) Object(id ObjectID) *Object { return &k.Objects[id-1] }

// RegInfo describes a register.
type RegInfo struct {
	Type Type
	Name string // the variable's name ("acc", "v.x"), empty for a temporary
	Var  bool   // a variable: may be assigned more than once
}

// Param is a kernel parameter. A scalar or a component of a vector or struct
// is in Reg at entry; a pointer is in Reg too and points to the start of
// Object.
type Param struct {
	Name   string // "a", "v.x"
	Type   Type
	Reg    Reg
	Object ObjectID // pointers only
	Pos    Pos
	CType  string // as declared: "__global float *"
	Offset int64  // bytes from the beginning of the argument that it is a part of
}

// Object is a memory object. Its address is a multiple of 256 bytes.
type Object struct {
	Name     string
	Space    Space // of an image: image; its extents are parameters "NAME.width" and so on
	Elem     Type  // scalar type of its elements where uniform, else 0
	Size     int64 // bytes; 0 = not known (buffers, dynamic local memory)
	Restrict bool  // buffers: declared restrict
	ReadOnly bool  // buffers: pointer to const; constant space
	Dynamic  bool  // local memory sized at launch
	// Init is the content of a constant table, little endian, nil if not
	// known to the compiler.
	Init []byte
	Pos  Pos
	Typ  *ctypes.Type // of a private object
}

// Operand is a register, a constant, or the address of an object.
type Operand struct {
	Kind OperandKind
	Type Type
	Reg  Reg // OperandReg
	// OperandConst: integers sign- or zero-extended to 64 bits by Type, floats as IEEE bits of their own width
	Bits   uint64
	Object ObjectID // OperandObject
}

// OperandKind says what an Operand is.
type OperandKind uint8

// The operand kinds. The zero value means "no operand".
const (
	OperandReg OperandKind = iota + 1
	OperandConst
	OperandObject
)

// Instr is one operation.
type Instr struct {
	Op    Op
	Type  Type  // T
	From  Type  // source type of Convert, Bitcast and PtrAdd's index
	Space Space // Load, Store, Atomic, Copy: as typed in the source
	// Volatile marks accesses through a pointer to volatile: never merged.
	Volatile bool
	// Subscript marks arithmetic that only computes an address or subscript: at
	// -O0 it belongs to the access and is not an instruction of its own.
	Subscript bool
	Dsts      []Reg
	Args      []Operand
	// Index: "get_global_id", ...; Call: "cos", "native_cos", ...; Atomic: "add", ...; Convert: modifiers; Fence: the
	// function; CopyGroup: see there
	Fn    string
	Dim   int   // Index: 0..2; ImageLoad, ImageStore: the number of coordinates
	Scale int64 // PtrAdd, PtrDiff: bytes per element; ImageLoad, ImageStore: 1 = the first coordinate counts bytes
	// PtrAdd: the type of the elements; "": bytes
	Element string
	Align   int64 // Load, Store, Atomic, Copy: bytes, a power of two that the address is a multiple of by its type
	// Load, Store of a part of an aligned struct, union or vector: it lies Offset bytes behind a multiple of Whole
	Whole, Offset int64
	// Component is which component of a vector operation this is, from 1; 0 = that of a scalar.
	Component int
	Pos       Pos
}

// Clamps reports whether a shift by more than the width shifts everything out.
func (in *Instr) Clamps() bool { return in.Fn == "clamp" }

// Stmt is a statement: *Instr, *If, *Loop, *Switch, *Region, *Leave,
// *Continue.
type Stmt interface{ stmt() }

func (*Instr) stmt()    {}
func (*If) stmt()       {}
func (*Loop) stmt()     {}
func (*Switch) stmt()   {}
func (*Region) stmt()   {}
func (*Leave) stmt()    {}
func (*Continue) stmt() {}

// Block is a sequence of statements.
type Block []Stmt

// If is a two-way branch. The condition has been computed before it.
type If struct {
	ID   BranchID
	Kind string // "if", "?:", "&&", "||"
	Cond Operand
	Then Block
	Else Block
	Pos  Pos
}

// Loop repeats: unless Kind is "do", Cond is evaluated first; then Body,
// then (where Continue goes too) Post, and so on. CondValue is the operand
// that holds the condition after the block Cond has run; no operand = forever.
type Loop struct {
	ID        LoopID
	Label     Label
	Kind      string // "for", "while", "do"
	Depth     int    // 1 = outermost (after inlining)
	Cond      Block
	CondValue Operand
	Body      Block
	Post      Block
	Pragma    *Pragma
	Pos       Pos
	// BoundText is the source text of what the trip count depends on, for
	// reports ("k < n").
	BoundText string
}

// Pragma is an unroll request, as the frontend tied it to the loop.
type Pragma = ast.Pragma

// The kinds of pragma.
const (
	UnrollFull   = ast.UnrollFull
	UnrollFactor = ast.UnrollFactor
	NoUnroll     = ast.NoUnroll
)

// Switch branches on an integer. Cases fall through in order.
type Switch struct {
	Label Label
	Value Operand
	Cases []Case
	Pos   Pos
}

// Case is a group of labels with the statements up to the next label.
type Case struct {
	Values  []int64
	Default bool
	Body    Block
	Pos     Pos
}

// Region is a body that can be left by its end: an inlined function's or the
// kernel's, where Leave is a return; a do { } while (0); or the statements in
// front of the label of a goto.
type Region struct {
	Label Label
	Name  string // the function, "do" or the label
	Body  Block
	Pos   Pos
}

// Leave goes to the end of the labelled Loop (break), Switch (break) or Region
// (return, goto and, of a do { } while (0), break).
type Leave struct {
	Label Label
	Kind  string // "break", "return" or "goto"
	Pos   Pos
}

// Continue goes to the Post block of the labelled loop.
type Continue struct {
	Label Label
	Pos   Pos
}

// LeftEarly reports whether a region is left before its end.
func (r *Region) LeftEarly() bool {
	left := false
	Walk(r.Body, func(s Stmt) {
		if v, ok := s.(*Leave); ok && v.Label == r.Label {
			left = true
		}
	})
	return left
}
