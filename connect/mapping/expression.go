package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"
)

// Variable is a variable of expressions.
type Variable struct {
	Name string
	Type Type
}

// Type is the type of a variable.
type Type int

// The types of variables, and the values that they take.
const (
	// Any takes what [Value] returns.
	Any Type = iota
	// Text takes a string.
	Text
	// Texts takes a map[string]string.
	Texts
	// Time takes a time.Time.
	Time
	// Members takes a map[string]any, with values that [Value] returns, a time.Time or a [Failure].
	Members
)

func (t Type) cel() *cel.Type {
	switch t {
	case Text:
		return cel.StringType
	case Texts, Members:
		// With texts as values, a condition could not have a text or null.
		return cel.MapType(cel.StringType, cel.DynType)
	case Time:
		return cel.TimestampType
	}
	return cel.DynType
}

// compiler compiles expressions. Its options bound what they cost.
type compiler struct {
	env     *cel.Env
	options []cel.ProgramOption
}

func newCompiler(variables []Variable) (*compiler, error) {
	options := append(timeFunctions(), ext.Strings())
	for _, v := range variables {
		options = append(options, cel.Variable(v.Name, v.Type.cel()))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		return nil, err
	}
	prices := newPrices()
	bound, err := prices.bind(env)
	return &compiler{env, []cel.ProgramOption{
		cel.CostLimit(costMax), cel.CostTracking(prices),
		cel.Functions(bound...), //nolint:staticcheck // nothing else replaces functions of the library
	}}, err
}

// Failure returns a value whose use in an expression fails with an error.
func Failure(err error) any { return types.WrapErr(err) }

// Expression is a compiled expression.
type Expression struct {
	// Line is its line in the file, Source its text.
	Line    int
	Source  string
	program cel.Program
	tree    *ast.AST
	// variable and member are set if the expression is variable.member.
	variable, member string
}

// Uses returns the members of a variable that the expression names, in any order and perhaps twice.
// whole reports that the expression uses the variable in another way, so that all may matter.
func (e *Expression) Uses(variable string) (members []string, whole bool) {
	places := ast.MatchDescendants(ast.NavigateAST(e.tree), func(n ast.NavigableExpr) bool {
		return n.Kind() == ast.IdentKind && n.AsIdent() == variable
	})
	for _, place := range places {
		name, named := memberAt(place)
		if !named {
			return nil, true
		}
		members = append(members, name)
	}
	return members, false
}

// memberAt returns the name after a variable: variable.name or variable["name"].
func memberAt(variable ast.NavigableExpr) (name string, named bool) {
	parent, inside := variable.Parent()
	switch {
	case !inside:
		return "", false
	case parent.Kind() == ast.SelectKind:
		return parent.AsSelect().FieldName(), true
	case parent.Kind() != ast.CallKind || parent.AsCall().FunctionName() != operators.Index:
		return "", false
	}
	arguments := parent.AsCall().Args()
	if arguments[0].ID() != variable.ID() || arguments[1].Kind() != ast.LiteralKind {
		return "", false
	}
	text, isText := arguments[1].AsLiteral().(types.String)
	return string(text), isText
}

func (c *compiler) compile(source string, line int, condition bool) (*Expression, error) {
	checked, issues := c.env.Compile(source)
	if issues.Err() != nil {
		var texts []string
		for _, e := range issues.Errors() {
			texts = append(texts, e.Message)
		}
		return nil, fmt.Errorf("the expression %q: %s", source, strings.Join(texts, "; "))
	}
	if out := checked.OutputType(); condition && !out.IsExactType(cel.BoolType) && !out.IsExactType(cel.DynType) {
		return nil, fmt.Errorf("the condition %q is a %s, and must be true or false", source, out)
	}
	program, err := c.env.Program(checked, c.options...)
	e := &Expression{Line: line, Source: source, program: program, tree: checked.NativeRep()}
	if x := e.tree.Expr(); x.Kind() == ast.SelectKind && !x.AsSelect().IsTestOnly() && x.AsSelect().Operand().Kind() == ast.IdentKind {
		e.variable, e.member = x.AsSelect().Operand().AsIdent(), x.AsSelect().FieldName()
	}
	return e, err
}

func (e *Expression) eval(variables map[string]any) (ref.Val, error) {
	out, _, err := e.program.Eval(variables)
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", e.Line, err)
	}
	return out, nil
}

func (e *Expression) holds(variables map[string]any) (bool, error) {
	out, err := e.eval(variables)
	if err != nil {
		return false, err
	}
	holds, isBool := out.(types.Bool)
	if !isBool {
		return false, fmt.Errorf("line %d: the condition is a %s, and must be true or false", e.Line, out.Type().TypeName())
	}
	return bool(holds), nil
}

// FieldValue is the value of a field: a text, as most are, or another value as JSON.
type FieldValue struct {
	Text string
	JSON bool
}

// textValue is the value of a text. JSON has no texts that are not UTF-8, so it replaces their bytes.
func textValue(s string) FieldValue {
	if !utf8.ValidString(s) {
		text, _ := json.Marshal(s) // texts have JSON
		return FieldValue{Text: string(text), JSON: true}
	}
	return FieldValue{Text: s}
}

// Encode returns the value as JSON.
func (v FieldValue) Encode() []byte {
	if v.JSON {
		return []byte(v.Text)
	}
	text, _ := json.Marshal(v.Text) // texts have JSON
	return text
}

// value returns the value of a field. A null leaves the field out.
func (e *Expression) value(variables map[string]any) (v FieldValue, has bool, err error) {
	if members, is := variables[e.variable].(map[string]any); is {
		if member, has := members[e.member]; has {
			if v, known := plainValue(member); known {
				return v, member != nil, nil
			}
		}
	}
	out, err := e.eval(variables)
	if err != nil {
		return FieldValue{}, false, err
	}
	of, err := (&converter{valueMax}).native(out)
	if err != nil {
		return FieldValue{}, false, fmt.Errorf("line %d: %w", e.Line, err)
	}
	switch of := of.(type) {
	case nil:
		return FieldValue{}, false, nil
	case string:
		return textValue(of), true, nil
	}
	text, err := json.Marshal(of)
	return FieldValue{Text: string(text), JSON: true}, err == nil, err
}

// plainValue returns the value of a field for common values. Most fields are members as they are, and
// records of such take half the time.
func plainValue(v any) (of FieldValue, known bool) {
	switch v := v.(type) {
	case nil:
		return FieldValue{}, true
	case int64:
		return FieldValue{Text: strconv.FormatInt(v, 10)}, true
	case time.Time:
		return FieldValue{Text: v.UTC().Format(TimeLayout)}, true
	case string:
		return textValue(v), true
	}
	return FieldValue{}, false
}

// TimeLayout is that of times in records.
const TimeLayout = "2006-01-02T15:04:05.000Z"

// valueMax is the maximum length of a value: that of a line with a record. An expression can repeat a
// value many times at no cost.
const valueMax = 4 << 20

// converter converts values until they have left bytes.
type converter struct{ left int }

// native returns a value as records have it. Whole numbers are texts, since ids are.
func (c *converter) native(v ref.Val) (any, error) {
	if err := c.take(v); err != nil {
		return nil, err
	}
	return c.taken(v)
}

func (c *converter) taken(v ref.Val) (any, error) {
	switch v := v.(type) {
	case types.Null:
		return nil, nil
	case types.Bool:
		return bool(v), nil
	case types.String:
		return string(v), nil
	case types.Int:
		return strconv.FormatInt(int64(v), 10), nil
	case types.Uint:
		return strconv.FormatUint(uint64(v), 10), nil
	case types.Double:
		if n := float64(v); n != math.Trunc(n) || math.Abs(n) > 1<<53 {
			return nil, fmt.Errorf("%v is not a whole number", n)
		}
		return strconv.FormatFloat(float64(v), 'f', 0, 64), nil
	case types.Timestamp:
		return v.UTC().Format(TimeLayout), nil
	case traits.Lister:
		return listOf(v, c.native)
	case traits.Mapper:
		return c.jsonOf(v)
	}
	return nil, errNotInRecord(v)
}

// take counts a value without its elements.
func (c *converter) take(v ref.Val) error {
	s, _ := v.(types.String)
	if c.left -= 1 + len(s); c.left < 0 {
		return fmt.Errorf("the value is longer than %d bytes", valueMax)
	}
	return nil
}

// listOf converts the elements of a list.
func listOf(l traits.Lister, convert func(ref.Val) (any, error)) (any, error) {
	list := []any{}
	for it := l.Iterator(); it.HasNext() == types.True; {
		element, err := convert(it.Next())
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return list, nil
}

func errNotInRecord(v ref.Val) error {
	return fmt.Errorf("a value of type %s cannot be in a record", v.Type().TypeName())
}

// jsonOf returns a value of an object, in which numbers stay numbers.
func (c *converter) jsonOf(v ref.Val) (any, error) {
	if err := c.take(v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case types.Int, types.Uint:
		return v.Value(), nil
	case types.Double:
		return plainDouble(float64(v)), nil
	case traits.Lister:
		return listOf(v, c.jsonOf)
	case traits.Mapper:
		object := map[string]any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			name, isText := it.Next().(types.String)
			if !isText {
				return nil, errors.New("an object in a record has names of text only")
			}
			if err := c.take(name); err != nil {
				return nil, err
			}
			member, err := c.jsonOf(v.Get(name))
			if err != nil {
				return nil, err
			}
			object[string(name)] = member
		}
		return object, nil
	}
	return c.taken(v)
}

// Value returns a JSON text as a value of a variable. Whole numbers stay exact.
func Value(text []byte) (any, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var v any
	if err := in.Decode(&v); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not JSON: there is text after the value")
	}
	return exact(v), nil
}

// exact replaces numbers: by an int64, a uint64 or a float64, the first that fits.
func exact(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = exact(value)
		}
	case []any:
		for i, value := range v {
			v[i] = exact(value)
		}
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return n
		}
		n, _ := v.Float64()
		return n
	}
	return v
}
