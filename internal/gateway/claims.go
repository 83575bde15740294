package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tideline-feeds/tideline/internal/wellformed"
)

type wireClaims struct {
	jwt.RegisteredClaims
	Role    string    `json:"role,omitempty"`
	Handle  claimText `json:"preferred_username,omitzero"`
	Name    claimText `json:"name,omitzero"`
	Picture claimText `json:"picture,omitzero"`
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
