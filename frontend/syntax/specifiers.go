package syntax

import (
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
)

// where specifiers stand.
type specPlace uint8

const (
	inDecl  specPlace = iota + 1 // of a declaration
	inParam                      // of a parameter
	inType                       // of a type without declaration
)

// spaces are the words of address spaces; __constant and __device__ of CUDA have their own meaning for variables.
var spaces = map[string]string{
	"__global": "global", "global": "global", "__local": "local", "local": "local", "__constant": "constant",
	"constant": "constant", "__private": "private", "private": "private", "__generic": "generic", "generic": "generic",
	"__shared__": "local", "__constant__": "constant",
}

// attributeWords are specifiers that are attributes: of CUDA and HIP with their underscores taken away.
var attributeWords = words(`__global__ __device__ __host__ __managed__ __launch_bounds__ __noinline__ __forceinline__
	__grid_constant__ __cluster_dims__ __block_size__ __align__ __kernel kernel __maxnreg__ __noinline __forceinline
	__tile_builtin__ __nv_pure__`)

// typeWords are the keywords of types.
var typeWords = words(`void char short int long float double signed unsigned bool _Bool __signed__ __int128 __signed
	wchar_t char16_t char32_t char8_t`)

// accessWords qualify images and pipes.
var accessWords = words("read_only __read_only write_only __write_only read_write __read_write")

// isSpace reports whether a word is an address space in this language.
func (p *parser) isSpace(word string) bool {
	if spaces[word] == "" {
		return false
	}
	if strings.HasSuffix(word, "__") {
		return p.Language == CUDA
	}
	if p.Language == CUDA {
		return false
	}
	return strings.HasPrefix(word, "__") || p.lookUp(word).kind == unknownName
}

// isAttributeWord reports whether a word is one that attributeWords lists for this language.
func (p *parser) isAttributeWord(word string) bool {
	if !attributeWords[word] {
		return false
	}
	return word != "kernel" || p.Language == OpenCL
}

// skippedSpecifiers say nothing about what is computed.
var skippedSpecifiers = words(`register constinit thread_local __thread __extension__ _Noreturn
	__inline__ __inline inline`)

// specifiers reads what stands before a declarator.
func (p *parser) specifiers(where specPlace) *Specifiers {
	defer p.deeper()()
	s := &Specifiers{Pos: p.pos()}
	var builtin *Builtin
	for {
		t := p.peek()
		if p.attributes(&s.Attrs) {
			continue
		}
		if t.Kind != preprocess.Ident && !(t.Is("::") && s.Type == nil && builtin == nil) {
			break
		}
		switch word := t.Text; {
		case p.flag(s, word, where):
			p.i++
		case p.qualifier(&s.Quals, word):
			p.i++
		case typeWords[word] && (s.Type == nil || builtin != nil):
			if builtin == nil {
				builtin = &Builtin{Pos: t.Pos}
				s.Type = builtin
			}
			builtin.Words = append(builtin.Words, word)
			p.i++
		case p.isAttributeWord(word):
			p.attributeWord(&s.Attrs)
		case where != inType && p.unknownMark(s) > 0:
			s.Unknown = append(s.Unknown, Part{Pos: t.Pos, Ident: word})
			p.i += p.unknownMark(s)
		case s.Type != nil:
			return s
		case !p.typeSpec(s, where):
			return s
		}
	}
	return s
}

// unknownMark counts the tokens of a name, and what stands in parentheses behind it, that nothing declares and that is
// no type: of a macro that is not defined, as in MARK void f() and void MARK(8) f(). 0: what stands here is none.
func (p *parser) unknownMark(s *Specifiers) int {
	if !p.isName(0) || p.is("pipe") {
		return 0
	}
	n := 1
	if p.at(1).Is("(") && p.match[p.i+1] > 0 {
		n = int(p.match[p.i+1]) - p.i + 1
	}
	if s.Type == nil && !p.startsWithKeyword(n) || s.Type != nil && !(p.isName(n) && p.at(n+1).Is("(")) ||
		p.lookUp(p.peek().Text).kind != unknownName {
		return 0
	}
	return n
}

// startsWithKeyword reports whether the token n from here is a keyword that only a declaration begins with.
func (p *parser) startsWithKeyword(n int) bool {
	t := p.at(n)
	return t.Kind == preprocess.Ident && (typeWords[t.Text] || p.isAttributeWord(t.Text) || t.Is("struct"))
}

// flag takes a storage class or a specifier of functions.
func (p *parser) flag(s *Specifiers, word string, where specPlace) bool {
	if !p.isKeyword(word) {
		return false
	}
	switch word {
	case "typedef":
		s.Typedef = true
	case "extern":
		s.Extern = true
		if p.at(1).Kind == preprocess.String {
			p.i++
		}
	case "static":
		s.Static = true
	case "inline", "__inline", "__inline__":
		s.Inline = true
	case "constexpr", "consteval":
		s.Constexpr = true
	case "friend":
		s.Friend = true
	case "explicit":
		if s.Explicit = !p.at(1).Is("("); !s.Explicit {
			p.i += 2
			if s.ExplicitIf = p.conditional(); !p.is(")") {
				p.fail(p.pos(), ") is expected behind the condition, not %s", p.spelled())
			}
		}
	case "virtual":
		s.Virtual = true
	case "mutable":
		s.Mutable = true
	default:
		return skippedSpecifiers[word] && where != inType
	}
	return true
}

// qualifier takes const and its like.
func (p *parser) qualifier(q *Quals, word string) bool {
	switch {
	case word == "const" || word == "__const" || word == "__const__":
		q.Const = true
	case word == "volatile" || word == "__volatile__" || word == "__volatile":
		q.Volatile = true
	case word == "__restrict__" || word == "__restrict" || word == "restrict" && p.Language == OpenCL:
		q.Restrict = true
	case p.isSpace(word):
		q.Space = spaces[word]
	case accessWords[word] && p.Language == OpenCL:
		q.Access = strings.TrimPrefix(word, "__")
	case word == "_Atomic":
	default:
		return false
	}
	return true
}

// typeSpec takes a type that is no keyword; false if what follows is none.
func (p *parser) typeSpec(s *Specifiers, where specPlace) bool {
	t := p.peek()
	switch t.Text {
	case "struct", "union", "class":
		if t.Text == "class" && p.Language != CUDA {
			break
		}
		s.Type = p.classSpec()
		return true
	case "enum":
		s.Type = p.enumSpec()
		return true
	case "auto", "__auto_type":
		if p.Language == CUDA {
			s.Type = &Auto{Pos: t.Pos}
		}
		p.i++
		return true
	case "decltype":
		if p.Language == CUDA && p.at(1).Is("(") && p.at(2).Is("auto") {
			p.i += 4
			s.Type = &Auto{Pos: t.Pos, Decltype: true}
			return true
		}
		if p.Language == CUDA {
			s.Type = p.decltypeSpec()
			return true
		}
	case "typeof", "__typeof__", "__typeof":
		s.Type = p.decltypeSpec()
		return true
	case "__underlying_type":
		if p.at(1).Is("(") {
			d := &Decltype{Pos: t.Pos, Underlying: true}
			p.i += 2
			d.Type = p.typeID()
			p.expect(")", "behind the type")
			s.Type = d
			return true
		}
	case "pipe":
		if p.Language == OpenCL && where == inParam && p.at(1).Kind == preprocess.Ident &&
			p.lookUp("pipe").kind == unknownName {
			p.unsupported(t.Pos, "pipes are", "use a __global buffer")
		}
	case "typename":
		if p.Language == CUDA {
			p.i++
			s.Type = &NamedType{Name: p.name()}
			return true
		}
	}
	if !p.isName(0) && !t.Is("::") {
		return false
	}
	if where == inDecl && p.isConstructor() {
		return false
	}
	n := p.name()
	if p.Language == CUDA && p.take("auto") {
		s.Type = &Auto{Pos: n.Pos, Concept: n}
		return true
	}
	s.Type = &NamedType{Name: n}
	return true
}

// decltypeSpec reads decltype(x) and typeof(x), and decltype(x)::name as a type by name.
func (p *parser) decltypeSpec() TypeSpec {
	d := p.decltypeOperand()
	if !d.Of && p.is("::") {
		n := &Name{Pos: d.Pos, Parts: []Part{{Pos: d.Pos, Decltype: d.X}}}
		for p.take("::") {
			part, _ := p.part(nil, false, false)
			n.Parts = append(n.Parts, part)
		}
		return &NamedType{Name: n}
	}
	return d
}

// decltypeOperand reads decltype(x) or typeof(x) alone.
func (p *parser) decltypeOperand() *Decltype {
	d := &Decltype{Pos: p.pos(), Of: !p.is("decltype")}
	p.i++
	p.expect("(", "here")
	leave := p.inAngles(false)
	if d.Of && p.startsType() == certainType {
		d.Type = p.typeID()
	} else {
		d.X = p.expression()
	}
	leave()
	p.expect(")", "behind the operand")
	return d
}

// isConstructor reports whether a declarator without a type begins here: a constructor, a destructor, a conversion, or
// a deduction guide.
func (p *parser) isConstructor() bool {
	t := p.peek()
	if p.class != "" && t.Text == p.class && p.at(1).Is("(") {
		// S (x) may be a constructor or a member of type S; one of its name is the first.
		return true
	}
	if n := p.lookUp(t.Text); p.at(1).Is("(") && n.template && n.kind == typeName && !p.scope.block &&
		p.at(p.closing(p.i+1)+1-p.i).Is("->") {
		return true // a deduction guide
	}
	found := false
	p.try(func() bool {
		n := p.name()
		k := len(n.Parts)
		last := &n.Parts[k-1]
		found = last.Convert != nil || p.is("(") && (last.Destroys || k > 1 && last.Ident == n.Parts[k-2].Ident)
		return false
	})
	return found
}

// attributes reads __attribute__((...)), [[...]], alignas(...) and __declspec(...), if any stands here.
func (p *parser) attributes(into *[]Attr) bool {
	t := p.peek()
	switch {
	case t.Is("__attribute__") || t.Is("__attribute"):
		p.i++
		p.expect("(", "behind __attribute__")
		p.expect("(", "behind __attribute__")
		for !p.is(")") {
			if !p.take(",") {
				*into = append(*into, p.attribute())
			}
		}
		p.expect(")", "behind the attributes")
		p.expect(")", "behind the attributes")
	case t.Is("[") && p.at(1).Is("[") && p.Language == CUDA && p.adjacent(1):
		end := p.closing(p.i)
		if p.i += 2; p.is("using") { // using gnu:
			p.i += 3
		}
		p.try(func() bool {
			for !p.is("]") {
				if !p.take(",") {
					*into = append(*into, p.attribute())
				}
			}
			return true
		})
		p.i = end + 1
	case (t.Is("alignas") && p.Language == CUDA || t.Is("_Alignas")) && p.at(1).Is("("):
		a := Attr{Pos: t.Pos, Name: "aligned"}
		p.i += 2
		if p.startsType() == certainType {
			a.Args = append(a.Args, &SizeOf{Pos: t.Pos, Align: true, Type: p.typeID()})
			if p.take("...") {
				a.Args[0] = &PackExpansion{t.Pos, a.Args[0]}
			}
		} else {
			a.Args = p.arguments()
		}
		p.expect(")", "behind the alignment")
		*into = append(*into, a)
	case t.Is("__declspec") && p.at(1).Is("("):
		p.i = p.closing(p.i+1) + 1
	case (t.Is("asm") || t.Is("__asm__") || t.Is("__asm")) && p.at(1).Is("(") && p.at(2).Kind == preprocess.String &&
		p.at(3).Is(")"):
		return false
	default:
		return false
	}
	return true
}

// attribute reads one of __attribute__.
func (p *parser) attribute() Attr {
	t := p.peek()
	if t.Kind != preprocess.Ident {
		p.fail(t.Pos, "the name of an attribute is expected, not %s", p.spelled())
	}
	p.i++
	if p.take("::") {
		t = p.peek()
		p.i++
	}
	a := Attr{Pos: t.Pos, Name: strings.TrimSuffix(strings.TrimPrefix(t.Text, "__"), "__")}
	if !p.is("(") {
		return a
	}
	end := p.closing(p.i)
	p.i++
	if p.startsType() == certainType || !p.try(func() bool { a.Args = p.arguments(); return p.i == end }) {
		p.i = end // vec_type_hint(float4) and its like say nothing
	}
	p.expect(")", "behind the attribute")
	return a
}

// attributeWord reads __launch_bounds__(...) and its like.
func (p *parser) attributeWord(into *[]Attr) {
	t := p.peek()
	p.i++
	a := Attr{Pos: t.Pos, Name: strings.Trim(t.Text, "_")}
	if slices.Contains([]string{"launch_bounds", "cluster_dims", "block_size", "align", "maxnreg"}, a.Name) &&
		p.is("(") {
		p.i++
		a.Args = p.arguments()
		p.expect(")", "behind the arguments")
	}
	if a.Name == "align" {
		a.Name = "aligned"
	}
	*into = append(*into, a)
}

// typeStart says whether a type begins somewhere.
type typeStart uint8

const (
	notType typeStart = iota
	maybeType
	certainType
)

// startsType says whether a type-id begins here: certainly, by a keyword or the name of a type, or maybe, by a name
// that is not known.
func (p *parser) startsType() typeStart {
	t := p.peek()
	if t.Kind == preprocess.Punct {
		if !t.Is("::") {
			return notType
		}
		return p.nameStartsType()
	}
	if t.Kind != preprocess.Ident {
		return notType
	}
	word := t.Text
	switch {
	case typeWords[word]:
		return certainType
	case p.isTrait():
		return notType
	case keywords[word] && p.isKeyword(word):
		if slices.Contains([]string{"const", "volatile", "__const", "__volatile__", "struct", "union", "class", "enum",
			"auto", "typename",
			"typeof", "__typeof__", "__typeof", "__restrict__", "__restrict"}, word) {
			return certainType
		}
		if word == "decltype" {
			return maybeType
		}
		return notType
	case p.isSpace(word), accessWords[word] && p.Language == OpenCL, word == "__auto_type", word == "_Atomic":
		return certainType
	}
	return p.nameStartsType()
}

func (p *parser) nameStartsType() (start typeStart) {
	i := p.i
	p.try(func() bool {
		n := p.name()
		switch k := p.kindOf(n); {
		case k.kind == typeName || p.is("auto"): // of a concept
			start = certainType
		case k.kind == unknownName && n.Last().Ident != "" && !n.Last().Destroys:
			start = maybeType
		}
		return false
	})
	p.i = i
	return start
}
