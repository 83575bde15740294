package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

type wireClaims struct {
	jwt.RegisteredClaims
	Role    string    `json:"role,omitempty"`
	Handle  claimText `json:"preferred_username,omitzero"`
	Name    claimText `json:"name,omitzero"`
	Picture claimText `json:"picture,omitzero"`
	// wrongTime names a time that is no number of seconds up to maxSeconds; empty if there is none.
	wrongTime string
}

// maxSeconds is the greatest time in seconds that every JSON parser reads exactly. The library
// converts a greater one to a time in the past.
const maxSeconds = 1 << 53

// UnmarshalJSON notes a wrong time and reads no claim then. It does not fail, because only
// [wireClaims.Validate] runs after the signature is verified.
func (c *wireClaims) UnmarshalJSON(data []byte) error {
	var times struct {
		ExpiresAt json.RawMessage `json:"exp"`
		NotBefore json.RawMessage `json:"nbf"`
		IssuedAt  json.RawMessage `json:"iat"`
	}
	if err := json.Unmarshal(data, &times); err != nil {
		return err
	}
	for _, claim := range []struct {
		name  string
		value json.RawMessage
	}{{"exp", times.ExpiresAt}, {"nbf", times.NotBefore}, {"iat", times.IssuedAt}} {
		if !isTime(claim.value) {
			c.wrongTime = claim.name
			return nil
		}
	}
	type plain wireClaims
	return json.Unmarshal(data, (*plain)(c))
}

// isTime reports whether a claim is absent, null or a number of seconds up to maxSeconds.
func isTime(claim json.RawMessage) bool {
	if len(claim) == 0 || string(claim) == "null" {
		return true
	}
	// Of JSON values, ParseFloat reads numbers only.
	seconds, err := strconv.ParseFloat(string(claim), 64)
	return err == nil && math.Abs(seconds) <= maxSeconds
}

// Validate implements [jwt.ClaimsValidator].
func (c *wireClaims) Validate() error {
	if c.wrongTime != "" {
		return fmt.Errorf("%s is not a number of seconds up to 2^53", c.wrongTime)
	}
	return nil
}

// claimText is a claim to store and show. It drops a text that decoding would alter, because of
// invalid UTF-8 or half a surrogate pair, and marks it as damaged.
type claimText struct {
	text    string
	damaged bool
}

func (c claimText) MarshalJSON() ([]byte, error) { return json.Marshal(c.text) }

func (c *claimText) UnmarshalJSON(data []byte) error {
	*c = claimText{damaged: wellformed.JSON(data) != nil}
	if c.damaged {
		return nil
	}
	return json.Unmarshal(data, &c.text)
}

func (c *wireClaims) damaged() string {
	var names []string
	for _, claim := range []struct {
		name string
		claimText
	}{{"preferred_username", c.Handle}, {"name", c.Name}, {"picture", c.Picture}} {
		if claim.damaged {
			names = append(names, claim.name)
		}
	}
	return strings.Join(names, ", ")
}

func logDamaged(ctx context.Context, log *slog.Logger, id Identity) {
	if id.Damaged != "" {
		log.WarnContext(ctx, "ignored claims that are not valid Unicode",
			"user", id.publicUser(), "claims", id.Damaged, "requestId", RequestIDFrom(ctx))
	}
}
