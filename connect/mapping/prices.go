package mapping

import (
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

const (
	// costMax bounds the cost of an expression: a search through some megabytes of text.
	costMax = 1_000_000
	// scanned is how many bytes are read for a unit. A byte of a result costs a unit. Both are as in the
	// library.
	scanned = 10
)

// prices are the costs of functions whose work grows with their arguments. The library charges them
// after the work, and charges 1 if it does not know the types of the arguments before.
type prices map[string]func(args []ref.Val) uint64

func newPrices() prices {
	compare := func(args []ref.Val) uint64 { return min(size(args[0]), size(args[1])) / scanned }
	search := func(args []ref.Val) uint64 { return size(args[0]) * size(args[1]) / scanned }
	return prices{
		"replace": replacePrice, "join": joinPrice, "format": formatPrice, "split": splitPrice,
		"indexOf": search, "lastIndexOf": search,
		// Several bytes are compared at once.
		overloads.Contains: func(args []ref.Val) uint64 { return search(args) / scanned },
		overloads.Matches:  func(args []ref.Val) uint64 { return search(args) / 4 },
		overloads.Size:     func(args []ref.Val) uint64 { return size(args[0]) / scanned },
		operators.In:       func(args []ref.Val) uint64 { return size(args[1]) },
		operators.Add:      func(args []ref.Val) uint64 { return (size(args[0]) + size(args[1])) / scanned },
		operators.Less:     compare, operators.LessEquals: compare, operators.Greater: compare, operators.GreaterEquals: compare,
	}
}

// size returns the bytes of a text or the elements of a list; 0 for other values.
func size(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(len(v))
	case types.Bytes:
		return uint64(len(v))
	case traits.Lister:
		n, _ := v.Size().(types.Int)
		return uint64(n)
	}
	return 0
}

func text(v ref.Val) string {
	s, _ := v.(types.String)
	return string(s)
}

func replacePrice(args []ref.Val) uint64 {
	s, old, replaced := text(args[0]), text(args[1]), text(args[2])
	found := strings.Count(s, old)
	if len(args) > 3 {
		if limit, isInt := args[3].(types.Int); isInt && limit >= 0 {
			found = min(found, int(limit))
		}
	}
	return uint64(len(s)/scanned + len(s) + found*max(0, len(replaced)-len(old)))
}

func joinPrice(args []ref.Val) uint64 {
	separator := uint64(0)
	if len(args) > 1 {
		separator = size(args[1])
	}
	return printed(args[0], separator, costMax)
}

// formatPrice counts each value once, as a format does.
func formatPrice(args []ref.Val) uint64 { return size(args[0]) + printed(args[1], 2, costMax) }

func splitPrice(args []ref.Val) uint64 {
	return size(args[0])/scanned + uint64(strings.Count(text(args[0]), text(args[1])))
}

// printed returns the length of a value as text, at least most+1 if it is longer than that. Each element
// has a separator.
func printed(v ref.Val, separator, most uint64) uint64 {
	// The longest are timestamps, and doubles with a hundred digits after the point.
	const scalar, double = 40, 420
	var elements traits.Iterator
	switch v := v.(type) {
	case types.String, types.Bytes:
		return size(v)
	case types.Double:
		return double
	case traits.Lister:
		elements = v.Iterator()
	case traits.Mapper:
		elements = v.Iterator()
	default:
		return scalar
	}
	members, isMap := v.(traits.Mapper)
	total := separator
	for total <= most && elements.HasNext() == types.True {
		element := elements.Next()
		total += separator + printed(element, separator, most-min(total, most))
		if isMap {
			total += separator + printed(members.Get(element), separator, most-min(total, most))
		}
	}
	return total
}

// CallCost implements the library's estimator of costs. It is asked if the library has no price.
func (p prices) CallCost(function, _ string, args []ref.Val, _ ref.Val) *uint64 {
	if price, has := p[function]; has {
		return new(1 + price(args))
	}
	return nil
}

// bind returns the functions of an environment that have prices. They fail before their work if it costs
// more than any expression may.
func (p prices) bind(env *cel.Env) ([]*functions.Overload, error) {
	var bound []*functions.Overload
	for name, decl := range env.Functions() {
		price, has := p[name]
		if !has {
			continue
		}
		bindings, err := decl.Bindings()
		if err != nil {
			return nil, err
		}
		for _, b := range bindings {
			bound = append(bound, affordable(*b, func(args ...ref.Val) ref.Val {
				if price(args) > costMax {
					return types.NewErr("%s: the cost limit would be exceeded; use shorter texts and lists", name)
				}
				return nil
			}))
		}
	}
	return bound, nil
}

// affordable returns a function that returns what refuse returns, if that is not nil.
func affordable(o functions.Overload, refuse functions.FunctionOp) *functions.Overload {
	if unary := o.Unary; unary != nil {
		o.Unary = func(v ref.Val) ref.Val {
			if err := refuse(v); err != nil {
				return err
			}
			return unary(v)
		}
	}
	if binary := o.Binary; binary != nil {
		o.Binary = func(a, b ref.Val) ref.Val {
			if err := refuse(a, b); err != nil {
				return err
			}
			return binary(a, b)
		}
	}
	if function := o.Function; function != nil {
		o.Function = func(args ...ref.Val) ref.Val {
			if err := refuse(args...); err != nil {
				return err
			}
			return function(args...)
		}
	}
	return &o
}
