package ir

import "gpupipe/lower"

// NewFunc makes an empty kernel of which the parameters and objects are those given.
func NewFunc(name string, pos Pos, params []Param, objects []Object) *Func {
	f := &Func{Name: name, Pos: pos, Params: params, Objects: objects, Body: &Block{}}
	for i, p := range params {
		v := f.NewValue(KernelArg, p.Type)
		v.Name, v.Index, v.Object = p.Name, i, p.Object
		f.Args = append(f.Args, v)
	}
	return f
}

// NumValues is more than the ID of each value.
func (f *Func) NumValues() int { return int(f.nextValue) + 1 }

// NewValue makes a value with an ID of its own.
func (f *Func) NewValue(kind Kind, t Type) *Value {
	f.nextValue++
	return &Value{ID: f.nextValue, Kind: kind, Type: t}
}

// Copy is a copy of an instruction without results and blocks, with room for as many operands.
func (f *Func) Copy(in *Instr) *Instr {
	c := *in
	c.Results, c.Blocks = nil, nil
	if n := len(in.Args); n <= len(c.few) {
		c.Args = c.few[:n:n]
	} else {
		c.Args = make([]*Value, n)
	}
	return &c
}

// Constant is the constant of a type with the bits of an Operand.
func (f *Func) Constant(t Type, bits uint64) *Value {
	k := constant{t, bits}
	v := f.constants[k]
	if v == nil {
		if f.constants == nil {
			f.constants = map[constant]*Value{}
		}
		v = f.NewValue(Const, t)
		v.Bits = bits
		f.constants[k] = v
	}
	return v
}

// Int is the constant n of an integer, Pred or Ptr type, wrapped to it.
func (f *Func) Int(t Type, n int64) *Value { return f.Constant(t, lower.ConstInt(t, n).Bits) }

// Truth is the constant of a condition.
func (f *Func) Truth(is bool) *Value {
	if is {
		return f.Int(lower.Pred, 1)
	}
	return f.Int(lower.Pred, 0)
}

// Address is the address of an object.
func (f *Func) Address(id ObjectID) *Value {
	v := f.addresses[id]
	if v == nil {
		if f.addresses == nil {
			f.addresses = map[ObjectID]*Value{}
		}
		v = f.NewValue(Address, lower.Ptr)
		v.Object = id
		f.addresses[id] = v
	}
	return v
}

// Undef is an undefined value of a type.
func (f *Func) Undef(t Type) *Value {
	v := f.undefined[t]
	if v == nil {
		if f.undefined == nil {
			f.undefined = map[Type]*Value{}
		}
		v = f.NewValue(Undef, t)
		f.undefined[t] = v
	}
	return v
}

// AddResult gives an instruction one more result.
func (f *Func) AddResult(in *Instr, t Type, name string) *Value {
	f.nextValue++
	r := &struct { // one piece of memory, and none that outlives the instruction for others
		Value
		list [1]*Value
	}{Value: Value{ID: f.nextValue, Kind: Result, Type: t, Name: name, Def: in, Index: len(in.Results)}}
	if v := &r.Value; len(in.Results) == 0 {
		r.list[0], in.Results = v, r.list[:]
	} else {
		in.Results = append(in.Results, v)
	}
	return &r.Value
}

// Emit appends an operation to a block and gives its result.
func (f *Func) Emit(out *Block, in *Instr) *Value {
	return f.AddResult(out.Append(in), ResultType(in), "")
}

// AddParam gives the block of a loop one more parameter; the loop's Args get its first value, and every
// continue of the loop the value for the next iteration.
func (f *Func) AddParam(loop *Instr, t Type, name string) *Value {
	b := loop.Blocks[0]
	v := f.NewValue(BlockArg, t)
	v.Name, v.Def, v.Index = name, loop, len(b.Params)
	b.Params = append(b.Params, v)
	return v
}

// NewBlock gives a control instruction one more block.
func (in *Instr) NewBlock() *Block {
	b := &Block{Owner: in}
	in.Blocks = append(in.Blocks, b)
	return b
}

// Append adds an instruction at the end of a block.
func (b *Block) Append(in *Instr) *Instr {
	in.Parent = b
	b.Instrs = append(b.Instrs, in)
	return in
}

// Object describes the object of an ID.
func (f *Func) Object(id ObjectID) *Object { return &f.Objects[id-1] }
