package sqlstore_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func TestRevocations_AreFoundUntilTheyEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		signedOut := feed.Revocation{User: 7, Token: "hash"}
		for range 2 {
			must(t, s.Revoke(t.Context(), signedOut, time.Hour))
		}
		for r, want := range map[feed.Revocation]bool{signedOut: true, {User: 7, Token: "other"}: false, {User: 8, Token: "hash"}: false} {
			if got, err := s.IsRevoked(t.Context(), r); got != want || err != nil {
				t.Errorf("%+v is revoked: %v, %v", r, got, err)
			}
		}
		got, err := s.RevokedWithin(t.Context(), time.Minute)
		if err != nil || !slices.Equal(got, []feed.Revocation{signedOut}) {
			t.Errorf("RevokedWithin returned %v, %v", got, err)
		}
		ended := feed.Revocation{User: 7, Token: "ended"}
		must(t, s.Revoke(t.Context(), ended, -time.Second))
		_, err = s.Cleanup(t.Context(), 0, 0, 10)
		must(t, err)
		for r, want := range map[feed.Revocation]bool{signedOut: true, ended: false} {
			if kept, err := s.IsRevoked(t.Context(), r); kept != want || err != nil {
				t.Errorf("after the cleanup %+v is stored: %v, %v", r, kept, err)
			}
		}
	})
}
