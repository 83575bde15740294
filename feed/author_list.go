package feed

import "context"

// ListID identifies a list of authors. Its numbers are drawn as those of posts ([NewPostIDs]), or by records.
type ListID int64

// AuthorList is a list of users, who need not be followed, with a feed of their posts. A private list exists
// for its owner only.
type AuthorList struct {
	ID       ListID
	External ExternalID
	Owner    UserID
	Name     string
	Public   bool
	// Exclusive says that the owner's home feed lacks posts by members. Reposts of these by others stay in it.
	Exclusive bool
	// Members counts all, also those that a reader may not see.
	Members   int64
	CreatedAt int64
}

// PublicListID is the public id of a list.
type PublicListID PublicID

// PublicID returns the id of the list as clients see it.
func (l *AuthorList) PublicID() PublicListID { return PublicListID{int64(l.ID), l.External} }

// ExclusiveTo is the user whose home feed lacks posts by members; 0 for none.
func (l *AuthorList) ExclusiveTo() UserID {
	if !l.Exclusive {
		return 0
	}
	return l.Owner
}

// IsNode marks lists as objects with a global id in the API.
func (*AuthorList) IsNode() {}

// The limits of lists: those of a user, and the members of one.
const (
	ListsMax       = 100
	ListMembersMax = 5000
)

// ListMemberRecord is one imported member of a list.
type ListMemberRecord struct {
	List      ListID
	User      UserID
	CreatedAt int64
}

// ListFields returns the fields of lists, in the order of records.
func ListFields() []Field[AuthorList] {
	return []Field[AuthorList]{
		fieldOf("name", func(l *AuthorList) *string { return &l.Name }).required(),
		fieldOf("isPublic", func(l *AuthorList) *bool { return &l.Public }),
		fieldOf("exclusive", func(l *AuthorList) *bool { return &l.Exclusive }),
		fieldOf("createdAt", func(l *AuthorList) *int64 { return &l.CreatedAt }).holding(FormMoment).required(),
	}
}

// DifferentList compares all but owners. A record with another owner is bad.
func DifferentList(stored, r *AuthorList) Difference { return different(ListFields(), stored, r, nil) }

// MayList returns [CodeConflict] for a user who has too many lists to make another.
func MayList(have int) error {
	if have >= ListsMax {
		return Errorf(CodeConflict, "a user has at most %d lists", ListsMax)
	}
	return nil
}

// MayHold returns [CodeConflict] for a list that cannot have so many members.
func MayHold(members int64) *Error {
	if members > ListMembersMax {
		return Errorf(CodeConflict, "a list has at most %d members", ListMembersMax)
	}
	return nil
}

// ListChange changes the fields of a list that are not nil.
type ListChange struct {
	Name              *string
	Public, Exclusive *bool
}

// AuthorLists changes lists of authors. Each call is one transaction. For a list that the owner does not
// have, calls return [CodeNotFound]. A change of the members of exclusive lists raises the owner's version and
// logs one [ChangeListed].
type AuthorLists interface {
	// CreateList stores a list without members. It returns [CodeConflict] for more than [ListsMax] lists,
	// [CodeNotFound] if the owner is not stored, and [ErrIDTaken] if the id is taken.
	CreateList(ctx context.Context, l *AuthorList) error
	UpdateList(ctx context.Context, owner UserID, id ListID, c ListChange) (*AuthorList, error)
	// DeleteList changes nothing if there is no such list.
	DeleteList(ctx context.Context, owner UserID, id ListID) error
	// AddMembers adds users since at, and changes nothing for members. It stores none of them and returns
	// [CodeNotFound] if one is not stored, and [CodeConflict] for more than [ListMembersMax] members.
	AddMembers(ctx context.Context, owner UserID, id ListID, users []UserID, at int64) (*AuthorList, error)
	// RemoveMembers removes users, and changes nothing for others.
	RemoveMembers(ctx context.Context, owner UserID, id ListID, users []UserID) (*AuthorList, error)
}

// AuthorListReader reads lists of authors from the primary. It judges nothing.
type AuthorListReader interface {
	// AuthorLists returns one list per id, nil if none is stored.
	AuthorLists(ctx context.Context, ids []ListID) ([]*AuthorList, error)
	// AuthorListsOf returns the lists of an owner, latest first.
	AuthorListsOf(ctx context.Context, owner UserID) ([]*AuthorList, error)
	// AuthorListsWith returns those of them that have a member.
	AuthorListsWith(ctx context.Context, owner, member UserID) ([]*AuthorList, error)
	// ListMembers lists members by key (time of their addition, user id), in the range's direction and
	// without absent users.
	ListMembers(ctx context.Context, list ListID, r Range) ([]Key, error)
}
