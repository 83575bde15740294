package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tideline-feeds/tideline/internal/wellformed"
)

// wireClaims are the claims by their registered names.
type wireClaims struct {
	jwt.RegisteredClaims
	Role    string    `json:"role,omitempty"`
	Handle  claimText `json:"preferred_username,omitzero"`
	Name    claimText `json:"name,omitzero"`
	Picture claimText `json:"picture,omitzero"`
}

// claimText is a claim that is stored and shown. If it cannot be decoded without changing
// it, because of invalid UTF-8 or half of a surrogate pair, it is left out and damaged.
type claimText struct {
	text    string
	damaged bool
}

// MarshalJSON writes the text.
func (c claimText) MarshalJSON() ([]byte, error) { return json.Marshal(c.text) }

// UnmarshalJSON reads the text, unless it is damaged.
func (c *claimText) UnmarshalJSON(data []byte) error {
	*c = claimText{damaged: wellformed.JSON(data) != nil}
	if c.damaged {
		return nil
	}
	return json.Unmarshal(data, &c.text)
}

// damaged lists the claims that were left out because they cannot be decoded unchanged.
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

// logDamaged logs the claims of a token that were left out, if there are any.
func logDamaged(ctx context.Context, log *slog.Logger, id Identity) {
	if id.Damaged != "" {
		log.WarnContext(ctx, "claims of a token are ignored: they are not valid Unicode text",
			"user", id.User, "claims", id.Damaged, "requestId", RequestIDFrom(ctx))
	}
}
