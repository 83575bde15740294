package feed

import "context"

// Named are the objects that a report for people names. A post may be a [ReplayRef].
type Named struct {
	Users []UserID
	Posts []PostID
}

// Read reads the external ids of the objects; none if ids is nil, because ids are numbers.
func (n Named) Read(ctx context.Context, ids IDFinder) (PublicIDs, error) {
	if ids == nil {
		return nil, nil
	}
	numbers := map[IDKind][]int64{}
	add := func(kind IDKind, number int64) { numbers[kind] = append(numbers[kind], number) }
	for _, user := range n.Users {
		add(UserIDs, int64(user))
	}
	for _, post := range n.Posts {
		add(numbered(post))
	}
	public := PublicIDs{}
	for kind, of := range numbers {
		external, err := ids.ExternalIDs(ctx, kind, of)
		if err != nil {
			return nil, err
		}
		public[kind] = map[int64]ExternalID{}
		for i, number := range of {
			public[kind][number] = external[i]
		}
	}
	return public, nil
}

// numbered returns the kind and the number of a post, or of the session of a replay.
func numbered(id PostID) (IDKind, int64) {
	if session, isReplay := id.Session(); isReplay {
		return LiveIDs, session
	}
	return PostIDs, int64(id)
}

// PublicIDs are the external ids of the objects of a [Named]; nil where ids are numbers.
type PublicIDs map[IDKind]map[int64]ExternalID

func (p PublicIDs) id(kind IDKind, number int64) PublicID {
	return PublicID{Number: number, External: p[kind][number]}
}

// User returns the public id of a user.
func (p PublicIDs) User(id UserID) PublicID { return p.id(UserIDs, int64(id)) }

// Post returns the public id of a post, or of the session of a replay.
func (p PublicIDs) Post(id PostID) PublicID { return p.id(numbered(id)) }

// Content returns the public id of a post, or that of a replay's session with a minus.
func (p PublicIDs) Content(id PostID) string {
	text := string(p.Post(id).Text())
	if _, isReplay := id.Session(); isReplay {
		text = "-" + text
	}
	return text
}

// Name names a post, or a replay, for people.
func (p PublicIDs) Name(id PostID) string {
	if _, isReplay := id.Session(); isReplay {
		return "replay of session " + p.Post(id).String()
	}
	return "post " + p.Post(id).String()
}
