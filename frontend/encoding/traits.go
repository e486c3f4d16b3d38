package encoding

// What the standard library says about types becomes calls that typing answers, since only it knows what a name
// stands for: std::is_same<T, U>::value is __kl_is_same((T *)0, (U *)0).

// TraitPrefix is what the names of these calls begin with.
const TraitPrefix = "__kl_"

// TypeTraits are the traits that are known, by how many types they are of.
var TypeTraits = map[string]int{
	"is_same": 2, "is_integral": 1, "is_floating_point": 1, "is_arithmetic": 1, "is_signed": 1, "is_unsigned": 1, "is_pointer": 1,
}

// LimitNames are the members of numeric_limits that are known.
var LimitNames = map[string]bool{"max": true, "min": true, "lowest": true, "epsilon": true, "infinity": true, "quiet_NaN": true}
