package frontend

import "slices"

// hostTypeNames are the types of host code that values have by name. long has 64 bits.
var hostTypeNames = map[string]hostType{
	"bool": {kind: Bool}, "float": {kind: Float}, "double": {kind: Double}, "dim3": {dim3: true}, "auto": {auto: true},
	"int8_t": {kind: Char}, "uint8_t": {kind: UChar}, "int16_t": {kind: Short}, "uint16_t": {kind: UShort}, "int32_t": {kind: Int}, "uint32_t": {kind: UInt},
	"int64_t": {kind: Long}, "uint64_t": {kind: ULong}, "size_t": {kind: ULong}, "ssize_t": {kind: Long}, "ptrdiff_t": {kind: Long}, "uintptr_t": {kind: ULong},
	"intptr_t": {kind: Long}, "uint": {kind: UInt}, "uchar": {kind: UChar}, "ushort": {kind: UShort}, "ulong": {kind: ULong},
}

// arithmeticWords are the words that numbers' types of C are made of.
var arithmeticWords = []string{"unsigned", "signed", "long", "int", "short", "char", "double"}

// declarationWords may stand before a type, or behind it.
var declarationWords = []string{"const", "constexpr", "static", "inline", "extern", "volatile", "register", "typename", "struct", "class", "enum", "__host__", "__device__",
	"__forceinline__", "__noinline__", "__inline__", "__constant__", "__managed__", "consteval", "thread_local"}

// typeAt reads the type at token i, without the * and & of a declarator, and returns the token
// behind it; i itself where none stands there.
func (c *hostCode) typeAt(i int, types map[string]hostType) (hostType, int) {
	k := i
	for k < len(c.toks) && slices.Contains(declarationWords, c.at(k)) {
		k++
	}
	var t hostType
	first := k
	var words []string
	for k < len(c.toks) && (slices.Contains(arithmeticWords, c.at(k)) || c.is(k, "const")) {
		if !c.is(k, "const") {
			words = append(words, c.at(k))
		}
		k++
	}
	switch {
	case len(words) > 0:
		t = hostType{kind: arithmeticKind(words)}
	case c.kindOf(k) != tokIdent && !c.is(k, "::"):
		return t, i
	default:
		last := k
		k, last = c.typeName(k)
		t, _ = types[c.at(last)]
		if u, ok := hostTypeNames[c.at(last)]; ok {
			t = u
		}
		if c.is(k, "<") || k == first {
			return hostType{}, i
		}
		if c.is(last, ">") {
			t = hostType{}
		}
	}
	for k < len(c.toks) && slices.Contains(declarationWords, c.at(k)) {
		k++
	}
	return t, k
}

// typeName reads a qualified name with its template arguments, and returns the token behind it
// and the last of its words.
func (c *hostCode) typeName(k int) (end, last int) {
	for {
		if c.is(k, "::") {
			k++
		}
		if c.kindOf(k) != tokIdent {
			return k, k - 1
		}
		last = k
		k++
		if c.is(k, "<") {
			_, closing, rest, ok := c.angleWords(k)
			if !ok || rest > 0 {
				return k, last
			}
			last, k = closing, closing+1
		}
		if !c.is(k, "::") {
			return k, last
		}
	}
}

// arithmeticKind is the kind that words such as unsigned long int name.
func arithmeticKind(words []string) Kind {
	count := func(w string) (n int) {
		for _, x := range words {
			if x == w {
				n++
			}
		}
		return n
	}
	unsigned := count("unsigned") > 0
	pick := func(signed, other Kind) Kind {
		if unsigned {
			return other
		}
		return signed
	}
	switch {
	case count("double") > 0:
		return Double
	case count("char") > 0:
		return pick(Char, UChar)
	case count("short") > 0:
		return pick(Short, UShort)
	case count("long") > 0:
		return pick(Long, ULong)
	}
	return pick(Int, UInt)
}
