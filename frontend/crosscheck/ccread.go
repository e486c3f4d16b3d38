package crosscheck

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// noFiles is what cc finds: nothing, as all is included already.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// configuration is that of cc for one run, which changes it.
func configuration() (*cc.Config, error) {
	abi, err := cc.NewABI("linux", "amd64")
	return &cc.Config{ABI: abi, FS: noFiles{}, DefaultSizeT: cc.ULong, DefaultPtrdiffT: cc.Long, DefaultWcharT: cc.Int},
		err
}

// guarded runs cc, which may panic on a text that it does not expect.
func guarded[T any](f func() (T, error)) (out T, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("cc: %v", x)
		}
	}()
	return f()
}

// outlineOf is a program as cc reads it, and else why it cannot.
func (f *feed) outline() (*outline, *diag.Error) {
	tree, err := guarded(func() (*cc.AST, error) {
		cfg, err := configuration()
		if err != nil {
			return nil, err
		}
		return cc.Parse(cfg, []cc.Source{{Name: sourceName, Value: f.b.String()}})
	})
	if err != nil {
		return nil, f.unreadable(err)
	}
	r := &reader{writer: writer{out: &outline{}}, feed: f}
	r.unit(tree.TranslationUnit)
	return r.out, nil
}

const sourceName = "program"

// unreadable is cc's first error at its place in the user's text.
func (f *feed) unreadable(err error) *diag.Error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	var line, column int
	at := diag.Pos{}
	if n, _ := fmt.Sscanf(text, sourceName+":%d:%d:", &line, &column); n == 2 {
		if first := (line - 1) * wordsOfLine; first >= 0 && first < len(f.starts) {
			at = f.place(f.starts[first] + column - 1)
		}
		if _, why, ok := strings.Cut(text, ": "); ok {
			text = why
		}
	}
	return diag.Warningf(at, codeUnread, "cc cannot read this: %s", text)
}

// reader writes what cc has read.
type reader struct {
	writer
	feed *feed
}

func (r *reader) at(n cc.Node) diag.Pos { return r.feed.place(n.Position().Offset) }

func (r *reader) unit(u *cc.TranslationUnit) {
	for ; u != nil; u = u.TranslationUnit {
		e := u.ExternalDeclaration
		switch e.Case {
		case cc.ExternalDeclarationFuncDef:
			r.function(e.FunctionDefinition)
		case cc.ExternalDeclarationDecl:
			pos := r.at(e)
			if name := r.declaration(e.Declaration); r.ours(name, pos) {
				r.finish(pos, name, false)
			}
			r.lines = nil
		}
	}
}

// ours reports whether a declaration is the user's.
func (r *reader) ours(name string, pos diag.Pos) bool {
	return name != wordEnd && name != "__predefined_declarator" && !(r.feed.types[name] && len(r.lines) == 1 &&
		r.lines[0].text == "typedef "+name+" : int" && !pos.IsValid())
}

func (r *reader) function(d *cc.FunctionDefinition) {
	pos, name := r.declared(r.specs(d.DeclarationSpecifiers), d.Declarator)
	r.line(pos, name.storage, name.text)
	r.block(d.CompoundStatement)
	r.finish(pos, d.Declarator.Name(), true)
}

// named is a declarator behind its type.
type named struct{ storage, text string }

// declaration writes a line for each name; the result is the first one.
func (r *reader) declaration(d *cc.Declaration) (first string) {
	switch d.Case {
	case cc.DeclarationAssert:
		r.line(r.at(d), "static_assert ", r.text(d.StaticAssertDeclaration.ConstantExpression))
		return ""
	case cc.DeclarationAuto:
		r.line(r.at(d), "another declaration")
		return d.Declarator.Name()
	}
	s := r.specs(d.DeclarationSpecifiers)
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		i := l.InitDeclarator
		name := i.Declarator.Name()
		if name == "__func__" {
			continue
		}
		if first == "" {
			first = name
		}
		pos, n := r.declared(s, i.Declarator)
		if i.Initializer != nil {
			var b strings.Builder
			r.initialiser(&b, i.Initializer)
			n.text += " = " + b.String()
		}
		r.line(pos, n.storage, n.text)
	}
	return first
}

// specs reads specifiers and writes the types that they define.
func (r *reader) specs(d *cc.DeclarationSpecifiers) *specs {
	s := &specs{}
	nonnull := 0
	var storage []string
	for ; d != nil; d = d.DeclarationSpecifiers {
		switch d.Case {
		case cc.DeclarationSpecifiersStorage:
			storage = append(storage, d.StorageClassSpecifier.Token.SrcStr())
		case cc.DeclarationSpecifiersTypeSpec:
			r.typeSpec(s, d.TypeSpecifier)
		case cc.DeclarationSpecifiersTypeQual:
			s.quals.add(d.TypeQualifier, &nonnull)
		}
	}
	s.quals.finish(nonnull)
	for _, word := range []string{"typedef", "extern", "static"} {
		if slices.Contains(storage, word) {
			s.storage += word + " "
		}
	}
	return s
}

func (r *reader) memberSpecs(d *cc.SpecifierQualifierList) *specs {
	s := &specs{}
	nonnull := 0
	for ; d != nil; d = d.SpecifierQualifierList {
		switch d.Case {
		case cc.SpecifierQualifierListTypeSpec:
			r.typeSpec(s, d.TypeSpecifier)
		case cc.SpecifierQualifierListTypeQual:
			s.quals.add(d.TypeQualifier, &nonnull)
		}
	}
	s.quals.finish(nonnull)
	return s
}

// add notes a qualifier.
func (q *quals) add(t *cc.TypeQualifier, nonnull *int) {
	switch t.Case {
	case cc.TypeQualifierConst:
		q.constant = true
	case cc.TypeQualifierVolatile:
		q.volatile = true
	case cc.TypeQualifierRestrict:
		q.restrict = true
	case cc.TypeQualifierNonnull:
		*nonnull++
	}
}

// finish reads address space and access of the number of qualifiers that stand for them.
func (q *quals) finish(nonnull int) {
	q.space = nonnull % len(spaceNames)
	if n := nonnull / len(spaceNames); n > 0 {
		q.access = accessWords[min(n, len(accessWords))-1]
	}
}

func (r *reader) typeSpec(s *specs, t *cc.TypeSpecifier) {
	switch t.Case {
	case cc.TypeSpecifierStructOrUnion:
		r.structure(s, t.StructOrUnionSpecifier)
	case cc.TypeSpecifierEnum:
		r.enum(s, t.EnumSpecifier)
	case cc.TypeSpecifierTypeName:
		s.named = t.Token.SrcStr()
	case cc.TypeSpecifierTypeofExpr:
		s.named = "typeof(" + r.text(t.ExpressionList) + ")"
	case cc.TypeSpecifierTypeofType:
		s.named = "typeof(" + r.typeName(t.TypeName) + ")"
	default:
		s.words = append(s.words, t.Token.SrcStr())
	}
}
