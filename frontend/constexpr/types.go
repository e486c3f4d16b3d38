package constexpr

import (
	"slices"

	"gpupipe/frontend/tokens"
)

// shortTypes names by one word the types that have several, so that T(x) stays
// a conversion.
var shortTypes = map[string]string{
	"unsigned": "uint", "unsigned int": "uint", "unsigned char": "uchar", "unsigned short": "ushort", "unsigned long": "ulong",
	"unsigned long long": "ulong", "unsigned long long int": "ulong", "long long": "int64_t", "long long int": "int64_t", "signed char": "int8_t",
	"signed int": "int", "signed": "int", "long int": "long", "short int": "short", "unsigned short int": "ushort", "unsigned long int": "ulong",
	"__half": "half", "__nv_bfloat16": "half", "nv_bfloat16": "half", // as in the prelude
	"long unsigned int": "ulong", "int unsigned": "uint", "char unsigned": "uchar",
}

// IsType reports whether a word begins the name of a type of C.
func IsType(word string) bool { return shortTypes[word] != "" || sizes[word] > 0 }

// TypeText is the canonical spelling of a type argument.
func TypeText(words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "typename" || w == "struct" || w == "class" })
	if len(words) > 0 && words[0] == "::" {
		words = words[1:]
	}
	n := 0
	for n < len(words) && (words[n] == "unsigned" || words[n] == "signed" || words[n] == "long" || words[n] == "int" || words[n] == "char" || words[n] == "short") {
		n++
	}
	if n == 0 && len(words) > 0 && shortTypes[words[0]] != "" {
		words[0] = shortTypes[words[0]]
	}
	if n > 0 {
		if short := shortTypes[tokens.JoinWords(words[:n])]; short != "" {
			words = append([]string{short}, words[n:]...)
		}
	}
	return tokens.JoinWords(words)
}

// sizes are the sizes of types in bytes that sizeof meets.
var sizes = map[string]int64{"char": 1, "bool": 1, "uchar": 1, "short": 2, "ushort": 2, "half": 2, "int": 4, "uint": 4, "unsigned": 4, "float": 4,
	"double": 8, "long": 8, "size_t": 8, "float2": 8, "float4": 16, "int4": 16, "int2": 8, "double2": 16, "uint4": 16, "half2": 4}

// signedWords and unsignedWords are what names of integers are made of.
var (
	signedWords   = []string{"const", "constexpr", "int", "signed", "long", "short", "char", "bool", "int8_t", "int16_t", "int32_t", "int64_t"}
	unsignedWords = []string{"unsigned", "uint", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"}
)

// isIntegerType reports whether words name a type of integers.
func isIntegerType(words []string) bool {
	for _, s := range words {
		if !slices.Contains(signedWords, s) && !slices.Contains(unsignedWords, s) {
			return false
		}
	}
	return len(words) > 0
}
