package host

import (
	"slices"

	"gpupipe/frontend/ctypes"
)

// typeNames are the types of host code that values have by name. long has 64 bits.
var typeNames = map[string]variableType{
	"bool": {kind: ctypes.Bool}, "float": {kind: ctypes.Float}, "double": {kind: ctypes.Double}, "dim3": {isDim3: true}, "auto": {auto: true},
	"int8_t": {kind: ctypes.Char}, "uint8_t": {kind: ctypes.UChar}, "int16_t": {kind: ctypes.Short}, "uint16_t": {kind: ctypes.UShort}, "int32_t": {kind: ctypes.Int}, "uint32_t": {kind: ctypes.UInt},
	"int64_t": {kind: ctypes.Long}, "uint64_t": {kind: ctypes.ULong}, "size_t": {kind: ctypes.ULong}, "ssize_t": {kind: ctypes.Long}, "ptrdiff_t": {kind: ctypes.Long}, "uintptr_t": {kind: ctypes.ULong},
	"intptr_t": {kind: ctypes.Long}, "uint": {kind: ctypes.UInt}, "uchar": {kind: ctypes.UChar}, "ushort": {kind: ctypes.UShort}, "ulong": {kind: ctypes.ULong},
}

// arithmeticWords are the words that numbers' types of C are made of.
var arithmeticWords = []string{"unsigned", "signed", "long", "int", "short", "char", "double"}

// specifiers are the words that Specifier knows.
var specifiers = []string{"const", "constexpr", "static", "inline", "extern", "volatile", "register", "typename", "struct", "class", "enum", "__host__", "__device__",
	"__forceinline__", "__noinline__", "__inline__", "__constant__", "__managed__", "consteval", "thread_local"}

// Specifier reports whether a word may stand in a declaration before its type, or behind it, without
// being part of the type's name: const, static, struct.
func Specifier(word string) bool { return slices.Contains(specifiers, word) }

// typeAt reads the type at token i, without the * and & of a declarator, and returns the token
// behind it; i itself where none stands there.
func (c *code) typeAt(i int, types map[string]variableType) (variableType, int) {
	k := i
	for k < len(c.Tokens) && Specifier(c.at(k)) {
		k++
	}
	var t variableType
	first := k
	var words []string
	for k < len(c.Tokens) && (slices.Contains(arithmeticWords, c.at(k)) || c.is(k, "const")) {
		if !c.is(k, "const") {
			words = append(words, c.at(k))
		}
		k++
	}
	switch {
	case len(words) > 0:
		t = variableType{kind: arithmeticKind(words)}
	case c.kindOf(k) != Word && !c.is(k, "::"):
		return t, i
	default:
		last := k
		k, last = c.typeName(k)
		t, _ = types[c.at(last)]
		if u, ok := typeNames[c.at(last)]; ok {
			t = u
		}
		if c.is(k, "<") || k == first {
			return variableType{}, i
		}
		if c.is(last, ">") {
			t = variableType{}
		}
	}
	for k < len(c.Tokens) && Specifier(c.at(k)) {
		k++
	}
	return t, k
}

// typeName reads a qualified name with its template arguments, and returns the token behind it
// and the last of its words.
func (c *code) typeName(k int) (end, last int) {
	for {
		if c.is(k, "::") {
			k++
		}
		if c.kindOf(k) != Word {
			return k, k - 1
		}
		last = k
		k++
		if c.is(k, "<") {
			closing := c.closingAngle(k)
			if closing < 0 {
				return k, last
			}
			last, k = closing, closing+1
		}
		if !c.is(k, "::") {
			return k, last
		}
	}
}

// namedType is the type that words name, of those that C has or that types holds.
func namedType(words []string, types map[string]variableType) variableType {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "typename" || w == "struct" || w == "class" })
	if len(words) > 0 && words[0] == "::" {
		words = words[1:]
	}
	if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(arithmeticWords, w) }) {
		return variableType{kind: arithmeticKind(words)}
	}
	if len(words) != 1 {
		return variableType{}
	}
	if t, ok := typeNames[words[0]]; ok {
		return t
	}
	return types[words[0]]
}

// arithmeticKind is the kind that words such as unsigned long int name.
func arithmeticKind(words []string) ctypes.Kind {
	count := func(w string) (n int) {
		for _, x := range words {
			if x == w {
				n++
			}
		}
		return n
	}
	unsigned := count("unsigned") > 0
	pick := func(signed, other ctypes.Kind) ctypes.Kind {
		if unsigned {
			return other
		}
		return signed
	}
	switch {
	case count("double") > 0:
		return ctypes.Double
	case count("char") > 0:
		return pick(ctypes.Char, ctypes.UChar)
	case count("short") > 0:
		return pick(ctypes.Short, ctypes.UShort)
	case count("long") > 0:
		return pick(ctypes.Long, ctypes.ULong)
	}
	return pick(ctypes.Int, ctypes.UInt)
}
