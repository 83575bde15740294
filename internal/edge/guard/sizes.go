package guard

import (
	"encoding/json"

	"github.com/vektah/gqlparser/v2/ast"
)

// digitsFree is the length up to which numbers count nothing. Every number in range is shorter.
const digitsFree = 20

func (p *pricing) arguments(f *ast.Field) int {
	n := 0
	for _, a := range f.Arguments {
		n = plus(n, p.literalSize(a.Value))
	}
	return n
}

// literalSize counts the bytes of texts, and one for each element of a list or field of an object.
func (p *pricing) literalSize(v *ast.Value) int {
	switch v.Kind {
	case ast.Variable:
		return p.note(v.Raw, lengthBytes).n
	case ast.IntValue, ast.FloatValue:
		return numberSize(v.Raw)
	case ast.StringValue, ast.BlockValue, ast.EnumValue:
		return len(v.Raw)
	}
	n := len(v.Children)
	for _, child := range v.Children {
		n = plus(n, plus(len(child.Name), p.literalSize(child.Value)))
	}
	return n
}

// sizeOf returns the size of a JSON value, by the same rules.
func sizeOf(value any) int {
	switch value := value.(type) {
	case string:
		return len(value)
	case word:
		return len(value)
	case json.Number:
		return numberSize(value.String())
	case []any:
		n := len(value)
		for _, element := range value {
			n = plus(n, sizeOf(element))
		}
		return n
	case map[string]any:
		n := len(value)
		for name, field := range value {
			n = plus(n, plus(len(name), sizeOf(field)))
		}
		return n
	}
	return 0
}

func numberSize(digits string) int {
	if len(digits) <= digitsFree {
		return 0
	}
	return len(digits)
}
