package guard

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// coercer coerces values from JSON to what the executor takes, by the GraphQL specification. Its
// results share no memory with its inputs, so the executor may change them.
type coercer struct {
	schema  *ast.Schema
	scalars map[string]Scalar
	bounds  map[string]Bound
}

// value coerces a value, and checks the bound of the argument or input field with a name. A
// variable has no name; its bounds are checked where it is used.
func (c *coercer) value(typ *ast.Type, name string, v any) (any, *fault) {
	if v == nil {
		if typ.NonNull {
			return nil, &fault{is: "is null", why: typ.String() + " is required", code: apierror.ValidationFailed}
		}
		return nil, nil
	}
	coerced, f := c.present(typ, v)
	if f == nil {
		f = c.bounds[name].check(coerced)
	}
	return coerced, f
}

func (c *coercer) present(typ *ast.Type, v any) (any, *fault) {
	if typ.Elem != nil {
		return c.list(typ.Elem, v)
	}
	def := c.schema.Types[typ.NamedType]
	switch def.Kind {
	case ast.Enum:
		return enum(def, v)
	case ast.InputObject:
		return c.object(def, v)
	default:
		return c.scalar(typ.NamedType, v)
	}
}

// list makes any other value a list of one element.
func (c *coercer) list(elem *ast.Type, v any) (any, *fault) {
	given, isList := v.([]any)
	if !isList {
		one, f := c.value(elem, "", v)
		return []any{one}, f
	}
	out := make([]any, len(given))
	for i, element := range given {
		var f *fault
		if out[i], f = c.value(elem, "", element); f != nil {
			return nil, f.in(index(i))
		}
	}
	return out, nil
}

// object ignores __typename, which some clients send back.
func (c *coercer) object(def *ast.Definition, v any) (any, *fault) {
	given, isObject := v.(map[string]any)
	if !isObject {
		return nil, mismatch(v, def.Name+" must be an object")
	}
	out := make(map[string]any, len(given))
	for _, field := range def.Fields {
		value, isGiven := given[field.Name]
		if !isGiven {
			if field.Type.NonNull && field.DefaultValue == nil {
				return nil, missing(field.Type).in("." + field.Name)
			}
			continue
		}
		var f *fault
		if out[field.Name], f = c.value(field.Type, field.Name, value); f != nil {
			return nil, f.in("." + field.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, known := out[name]; !known && name != "__typename" {
			return nil, unknownField(def, name)
		}
	}
	return out, nil
}

func missing(typ *ast.Type) *fault {
	return &fault{is: "is missing", why: typ.String() + " is required", code: apierror.ValidationFailed}
}

func unknownField(def *ast.Definition, name string) *fault {
	return &fault{is: "has the field " + preview(name), why: def.Name + " has no such field", code: apierror.ValidationFailed}
}

func enum(def *ast.Definition, v any) (any, *fault) {
	name, isText := v.(string)
	if literal, isWord := v.(word); isWord {
		name, isText = string(literal), true
	}
	if !isText || def.EnumValues.ForName(name) == nil {
		return nil, mismatch(v, def.Name+" has no such value")
	}
	return name, nil
}

func (c *coercer) scalar(typ string, v any) (any, *fault) {
	switch typ {
	case "Int":
		return integer(v)
	case "Float":
		return float(v)
	case "Boolean":
		if b, isBool := v.(bool); isBool {
			return b, nil
		}
		return nil, mismatch(v, "a Boolean must be true or false")
	case "ID":
		return id(v)
	case "String":
		if s, isText := v.(string); isText {
			return s, nil
		}
		return nil, mismatch(v, "a String must be text")
	}
	return c.custom(typ, v)
}

func (c *coercer) custom(typ string, v any) (any, *fault) {
	check := c.scalars[typ]
	if check == nil {
		check = func(v any) string { return single(typ, v) }
	}
	why := check(v)
	if why == "" {
		return v, nil
	}
	f := mismatch(v, why)
	if _, isText := v.(string); isText {
		f.code = feed.CodeBadInput
	}
	return nil, f
}

func single(typ string, v any) (why string) {
	switch v.(type) {
	case []any, map[string]any:
		return typ + " must be a single value"
	}
	return ""
}

// integer coerces an Int, which may be written with an exponent or as 1.0.
func integer(v any) (any, *fault) {
	const why = "an Int must be a whole number of 32 bits"
	n, isNumber := number(v)
	if !isNumber || n != math.Trunc(n) {
		return nil, mismatch(v, why)
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		f := mismatch(v, why)
		f.code = feed.CodeBadInput
		return nil, f
	}
	return int64(n), nil
}

func float(v any) (any, *fault) {
	n, isNumber := number(v)
	if !isNumber || math.IsInf(n, 0) {
		return nil, mismatch(v, "a Float must be a finite number")
	}
	return n, nil
}

// number parses a number. One that is too large becomes infinite.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		n, err := strconv.ParseFloat(v.String(), 64)
		return n, err == nil || math.IsInf(n, 0)
	case float64:
		return v, true
	}
	return 0, false
}

// id coerces an ID: a text, or the digits of a whole number.
func id(v any) (any, *fault) {
	if s, isText := v.(string); isText {
		return s, nil
	}
	if n, isNumber := v.(json.Number); isNumber && isDigits(n.String()) {
		return n.String(), nil
	}
	// Above 53 bits, a number with an exponent or a fraction may have been rounded.
	const exactMax = 1 << 53
	if n, isNumber := number(v); isNumber && n == math.Trunc(n) && math.Abs(n) <= exactMax {
		return strconv.FormatInt(int64(n), 10), nil
	}
	return nil, mismatch(v, "an ID must be text or a whole number")
}

func isDigits(s string) bool { return strings.Trim(strings.TrimPrefix(s, "-"), "0123456789") == "" }
