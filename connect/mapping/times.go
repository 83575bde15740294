package mapping

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// timeFunctions are the functions of expressions that make a time (docs/connect.md).
func timeFunctions() []cel.EnvOption {
	whole, anyID, text := cel.IntType, cel.DynType, cel.StringType
	return []cel.EnvOption{
		timeFunction("millis", []*cel.Type{whole}, func(args []ref.Val) (time.Time, error) {
			return time.UnixMilli(int64(args[0].(types.Int))).UTC(), nil
		}),
		timeFunction("snowflakeTime", []*cel.Type{anyID, whole, whole}, func(args []ref.Val) (time.Time, error) {
			return snowflakeTime(args[0], int64(args[1].(types.Int)), int64(args[2].(types.Int)))
		}),
		timeFunction("ulidTime", []*cel.Type{text}, func(args []ref.Val) (time.Time, error) {
			return digitsTime(string(args[0].(types.String)), crockford, ulidDigits, 0)
		}),
		timeFunction("base36Time", []*cel.Type{text, whole}, func(args []ref.Val) (time.Time, error) {
			return digitsTime(string(args[0].(types.String)), base36, base36Digits, int64(args[1].(types.Int)))
		}),
		timeFunction("parseTime", []*cel.Type{text, text}, func(args []ref.Val) (time.Time, error) {
			return parsedTime(string(args[0].(types.String)), string(args[1].(types.String)))
		}),
	}
}

// timeFunction is a function with one overload. It refuses arguments of other types, which the compiler
// does not know of members of variables.
func timeFunction(name string, arguments []*cel.Type, do func(args []ref.Val) (time.Time, error)) cel.EnvOption {
	binding := func(args ...ref.Val) ref.Val {
		for i, want := range arguments {
			if want != cel.DynType && args[i].Type().TypeName() != want.TypeName() {
				return types.MaybeNoSuchOverloadErr(args[i])
			}
		}
		at, err := do(args)
		if err != nil {
			return types.NewErr("%s: %v", name, err)
		}
		return types.Timestamp{Time: at}
	}
	return cel.Function(name, cel.Overload(name+"_of", arguments, cel.TimestampType, cel.FunctionBinding(binding)))
}

// snowflakeTime returns the time in the upper bits of an id, a number or its decimal text: milliseconds
// since epoch. lower is the number of the other bits.
func snowflakeTime(id ref.Val, epoch, lower int64) (time.Time, error) {
	n, isNumber := id.(types.Int)
	if s, isText := id.(types.String); isText {
		parsed, err := strconv.ParseInt(string(s), 10, 64)
		n, isNumber = types.Int(parsed), err == nil
	}
	switch {
	case !isNumber || n < 0:
		return time.Time{}, fmt.Errorf("%.40q is no whole number", fmt.Sprint(id.Value()))
	case lower < 0 || lower > 62:
		return time.Time{}, fmt.Errorf("an id has 0 to 62 lower bits, not %d", lower)
	}
	return sinceEpoch(int64(n)>>lower, epoch)
}

// Alphabets of ids, and how many of their first digits are milliseconds: of ULIDs 48 bits, of base 36 what
// lasts until the year 2089.
const (
	crockford    = "0123456789abcdefghjkmnpqrstvwxyz"
	ulidDigits   = 10
	base36       = "0123456789abcdefghijklmnopqrstuvwxyz"
	base36Digits = 8
)

// digitsTime returns the time in the first digits of an id: milliseconds since epoch.
func digitsTime(id, alphabet string, digits int, epoch int64) (time.Time, error) {
	if len(id) < digits {
		return time.Time{}, fmt.Errorf("%q has less than %d digits", id, digits)
	}
	var n int64
	for _, digit := range strings.ToLower(id[:digits]) {
		value := strings.IndexRune(alphabet, digit)
		if value < 0 {
			return time.Time{}, fmt.Errorf("%q has a digit that is none of %s", id[:digits], alphabet)
		}
		n = n*int64(len(alphabet)) + int64(value)
	}
	return sinceEpoch(n, epoch)
}

// lastMillis is the end of the year 9999, as feed.MaxTime: later times have no text in a record.
const lastMillis = 253402300799999

func sinceEpoch(millis, epoch int64) (time.Time, error) {
	if epoch < 0 || epoch > lastMillis || millis > lastMillis-epoch {
		return time.Time{}, fmt.Errorf("%d ms after %d is not between the years 1970 and 9999", millis, epoch)
	}
	return time.UnixMilli(epoch + millis).UTC(), nil
}

// parsedMax is longer than any time is.
const parsedMax = 100

// parsedTime parses a time in the layout of package time, in UTC unless the text names a zone.
func parsedTime(text, layout string) (time.Time, error) {
	if len(text) > parsedMax || len(layout) > parsedMax {
		return time.Time{}, fmt.Errorf("a time or layout has at most %d bytes", parsedMax)
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q does not have the layout %q", text, layout)
	}
	return at.UTC(), nil
}
