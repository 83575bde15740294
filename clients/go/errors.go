package tideline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// CodeOf returns the code of the first error in a response, such as UNAVAILABLE (docs/gateway.md
// lists them), or the [UserErrorCode] of an error from [Refused]. It is empty for nil and for
// errors without a response, such as a broken connection.
func CodeOf(err error) string {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return string(refusal.Code)
	}
	var answer gqlerror.List
	var refused *graphql.HTTPError
	if errors.As(err, &refused) {
		answer = refused.Response.Errors
	} else if !errors.As(err, &answer) {
		return ""
	}
	if len(answer) == 0 {
		return ""
	}
	code, _ := answer[0].Extensions["code"].(string)
	return code
}

// Refused returns the UserErrors of a payload as one error, which joins a [*Refusal] for each;
// nil for none.
func Refused(refusals []Refusal) error {
	all := make([]error, len(refusals))
	for i := range refusals {
		all[i] = &refusals[i]
	}
	return errors.Join(all...)
}

// Error returns code, message and field.
func (v *Refusal) Error() string {
	if len(v.Field) == 0 {
		return fmt.Sprintf("%s: %s", v.Code, v.Message)
	}
	return fmt.Sprintf("%s: %s (%s)", v.Code, v.Message, strings.Join(v.Field, "."))
}
