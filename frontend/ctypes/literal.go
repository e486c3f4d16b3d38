package ctypes

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ParseInt reads an integer literal: decimal, octal, hexadecimal or binary, with
// u and l suffixes in any order and case. Its type is the first of C99 6.4.4.1's
// list that holds the value; long has 64 bits, and so has long long. The second
// result is what is wrong with the literal, empty if nothing is.
func ParseInt(text string) (Value, string) {
	digits := strings.TrimRight(text, "ulUL")
	written := text[len(digits):]
	suffix := strings.ToLower(written)
	switch suffix {
	case "", "u", "l", "ul", "lu", "ll", "ull", "llu":
	default:
		return Value{}, "invalid suffix " + strconv.Quote(written)
	}
	digits = strings.ToLower(digits)
	base, body := 10, digits
	switch {
	case strings.HasPrefix(digits, "0x"):
		base, body = 16, digits[2:]
	case strings.HasPrefix(digits, "0b"):
		base, body = 2, digits[2:]
	case len(digits) > 1 && digits[0] == '0':
		base, body = 8, digits[1:]
	}
	v, err := strconv.ParseUint(body, base, 64)
	if err != nil {
		if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrRange {
			return Value{}, "does not fit into 64 bits"
		}
		return Value{}, "invalid digits"
	}
	return Value{Type: Scalar(intLiteralKind(v, base == 10, suffix)), Int: int64(v)}, ""
}

func intLiteralKind(v uint64, decimal bool, suffix string) Kind {
	unsigned, long := strings.Contains(suffix, "u"), strings.Contains(suffix, "l")
	switch {
	case !long && !unsigned && v <= math.MaxInt32:
		return Int
	case !long && (unsigned || !decimal) && v <= math.MaxUint32:
		return UInt
	case !unsigned && v <= math.MaxInt64:
		return Long
	}
	return ULong // also a decimal literal beyond long, as compilers do with a warning
}

// ParseNumber reads an integer or floating literal as CUDA C++ spells it: digits may be separated by ', and
// no suffix makes a half. The second result is what is wrong with the literal, empty if nothing is.
func ParseNumber(text string) (Value, string) {
	s := strings.ToLower(strings.ReplaceAll(text, "'", ""))
	hex := strings.HasPrefix(s, "0x")
	switch {
	case !strings.ContainsAny(s, ".p") && (hex || !strings.Contains(s, "e")):
		return ParseInt(s)
	case strings.HasSuffix(s, "h"):
		return Value{}, "invalid suffix \"h\""
	}
	return ParseFloat(s, false)
}

// ParseFloat reads a floating literal, decimal or hexadecimal. The suffix f
// makes it float, h half, l or none double (float with single).
func ParseFloat(text string, single bool) (Value, string) {
	s := strings.ToLower(text)
	hex := strings.HasPrefix(s, "0x")
	kind := Double
	if single {
		kind = Float
	}
	switch {
	case strings.HasSuffix(s, "f") && (!hex || strings.Contains(s, "p")):
		kind, s = Float, s[:len(s)-1]
	case strings.HasSuffix(s, "h"):
		kind, s = Half, s[:len(s)-1]
	case strings.HasSuffix(s, "l"):
		kind, s = Double, s[:len(s)-1]
	}
	if strings.Contains(s, "_") {
		return Value{}, "invalid digits" // Go's syntax, not C's
	}
	bits := 64
	if kind == Float {
		bits = 32 // rounded once, from the decimal text
	}
	f, err := strconv.ParseFloat(s, bits)
	if e, ok := err.(*strconv.NumError); ok && e.Err != strconv.ErrRange {
		return Value{}, "invalid digits"
	}
	if kind == Half {
		if exact, _, err := big.ParseFloat(s, 0, 64, big.ToZero); err == nil {
			f, _ = exact.Float64()
		}
	}
	return FloatValue(kind, f), ""
}

// ParseChar reads a character literal, type int as in C. Several characters
// make up one number, the last one lowest, as every compiler does. Behind L, u
// and U it is the code point.
func ParseChar(text string) (Value, string) {
	prefix, _, _ := strings.Cut(text, "'")
	size, most := int64(1), 4
	if prefix != "" && prefix != "u8" {
		size, most = 4, 1
	}
	codes, problem := Unquote(text[len(prefix):], size)
	switch {
	case problem != "":
		return Value{}, problem
	case len(codes) == 0:
		return Value{}, "empty character constant"
	case len(codes) > most:
		return Value{}, "character constant too long"
	case size == 1 && len(codes) == 1:
		return IntValue(Int, int64(int8(codes[0]))), ""
	}
	var v int64
	for _, c := range codes {
		v = v<<8 | c
	}
	return IntValue(Int, v), ""
}

var simpleEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
	'\\': '\\', '\'': '\'', '"': '"', '?': '?', 'e': 27,
}

// Unquote returns the elements, of 1, 2 or 4 bytes, of a quoted string or character constant.
func Unquote(s string, size int64) (out []int64, problem string) {
	problem = unquote(s, func(r rune) {
		switch high, low := utf16.EncodeRune(r); {
		case size == 1:
			for _, b := range utf8.AppendRune(nil, r) {
				out = append(out, int64(b))
			}
		case size == 2 && r > 0xffff:
			out = append(out, int64(high), int64(low))
		default:
			out = append(out, int64(r))
		}
	}, func(v uint64) { out = append(out, int64(v)&(1<<(8*size)-1)) })
	return out, problem
}

// Text is what a quoted string spells.
func Text(s string) (string, string) {
	codes, problem := Unquote(s, 1)
	text := make([]byte, len(codes))
	for i, c := range codes {
		text[i] = byte(c)
	}
	return string(text), problem
}

// unquote visits the characters of a quoted constant: code points, and the numbers of escapes.
func unquote(s string, char func(rune), code func(uint64)) (problem string) {
	if len(s) < 2 {
		return "unterminated constant"
	}
	s = s[1 : len(s)-1]
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			r, n := utf8.DecodeRuneInString(s[i:])
			if i += n; r == utf8.RuneError && n == 1 {
				code(uint64(s[i-1]))
			} else {
				char(r)
			}
			continue
		}
		if i++; i == len(s) {
			return "incomplete escape sequence"
		}
		digits, base := s[i:i+span(s[i:], 3, "01234567")], 8
		switch c := s[i]; {
		case simpleEscapes[c] != 0:
			code(uint64(simpleEscapes[c]))
			i++
			continue
		case digits != "":
		case c == 'x':
			i, base = i+1, 16
			if digits = s[i : i+span(s[i:], 16, hexDigits)]; digits == "" {
				return `\x without digits`
			}
		case c == 'u' || c == 'U':
			i, base = i+1, 16
			want := map[byte]int{'u': 4, 'U': 8}[c]
			if digits = s[i : i+span(s[i:], want, hexDigits)]; len(digits) != want {
				return "incomplete universal character name"
			}
			v, _ := strconv.ParseUint(digits, base, 32)
			char(rune(v))
			i += want
			continue
		default:
			return "unknown escape sequence \\" + string(rune(c))
		}
		v, _ := strconv.ParseUint(digits, base, 64)
		code(v)
		i += len(digits)
	}
	return ""
}

const hexDigits = "0123456789abcdefABCDEF"

// span is how many of the first limit bytes of s are in set.
func span(s string, limit int, set string) int {
	n := 0
	for n < len(s) && n < limit && strings.IndexByte(set, s[n]) >= 0 {
		n++
	}
	return n
}
