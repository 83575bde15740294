package tideline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// CodeOf returns why the server refused or failed an operation, by the first error of its
// answer: one of the codes of docs/gateway.md, such as UNAVAILABLE, or for an error of
// [Refused] a [UserErrorCode]. It is empty for nil and for what is no answer of the
// server's, such as a connection that was cut.
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

// Refused returns why a mutation was refused, nil when it was not. It has a [*Refusal] for
// each entry of the payload's UserErrors.
func Refused(refusals []Refusal) error {
	all := make([]error, len(refusals))
	for i := range refusals {
		all[i] = &refusals[i]
	}
	return errors.Join(all...)
}

// Error tells code, message and field at fault.
func (v *Refusal) Error() string {
	if len(v.Field) == 0 {
		return fmt.Sprintf("%s: %s", v.Code, v.Message)
	}
	return fmt.Sprintf("%s: %s (%s)", v.Code, v.Message, strings.Join(v.Field, "."))
}
