package memstore

import (
	"context"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/texts"
)

// skeletonOwner is a user and a skeleton of a handle that they have or had.
type skeletonOwner struct {
	skeleton string
	user     feed.UserID
}

// claimHandle replaces the skeletons of the user's handle by those of a new handle. It returns
// false and changes nothing if another user has or had one of them that the user's current handle
// lacks.
func (s *Store) claimHandle(user feed.UserID, handle string) bool {
	skeletons := texts.Skeletons(handle)
	for owner := range s.skeletons {
		if owner.user != user && slices.Contains(skeletons, owner.skeleton) && !s.hasSkeleton(user, owner.skeleton) {
			return false
		}
	}
	s.freeHandle(user, skeletons)
	s.storeSkeletons(user, skeletons)
	return true
}

// hasSkeleton reports whether the user's current handle has the skeleton.
func (s *Store) hasSkeleton(user feed.UserID, skeleton string) bool {
	freedAt, ok := s.skeletons[skeletonOwner{skeleton, user}]
	return ok && freedAt == 0
}

// storeHandle stores the skeletons of the user's handle, even if other users have them.
func (s *Store) storeHandle(user feed.UserID, handle string) {
	s.storeSkeletons(user, texts.Skeletons(handle))
}

func (s *Store) storeSkeletons(user feed.UserID, skeletons []string) {
	for _, skeleton := range skeletons {
		s.skeletons[skeletonOwner{skeleton, user}] = 0
	}
}

// freeHandle marks the skeletons of the user's handle as given up now, except those in used. They
// stay reserved.
func (s *Store) freeHandle(user feed.UserID, used []string) {
	for owner, freedAt := range s.skeletons {
		if owner.user == user && freedAt == 0 && !slices.Contains(used, owner.skeleton) {
			s.skeletons[owner] = feed.Millis(s.clock())
		}
	}
}

// dropHandles ends the reservation of the user's former handles.
func (s *Store) dropHandles(user feed.UserID) {
	maps.DeleteFunc(s.skeletons, func(owner skeletonOwner, freedAt int64) bool { return owner.user == user && freedAt > 0 })
}

// DropFreedHandles implements [feed.Cleaner].
func (s *Store) DropFreedHandles(ctx context.Context, before int64, limit int) (bool, error) {
	return inTx(ctx, s, func() bool {
		dropped := 0
		for owner, freedAt := range s.skeletons {
			if dropped < limit && freedAt > 0 && freedAt < before {
				delete(s.skeletons, owner)
				dropped++
			}
		}
		return dropped == limit
	})
}
