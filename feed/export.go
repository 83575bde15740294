package feed

import "context"

// Exporter hands out all that an [Applier] can bring back.
type Exporter interface {
	// Export calls emit with every record of one moment: what is stored while it
	// runs does not show. An error of emit ends it and is returned as it is. Emit may
	// use the store, and keep the records; their Line is 0.
	//
	// The order depends on nothing but what is stored, so that equal stores export
	// the same, and is one that imports in one pass:
	//
	//   - users by id,
	//   - follows by follower and followee,
	//   - contents by id, but what a content answers or shows again always before it:
	//     if that has not been handed out by then, it is at this point, with what it
	//     answers or shows itself before it,
	//   - reactions by content, reaction and user,
	//   - mutes, hides and blocks by user, relation and target,
	//   - live sessions by id, without those of deleted accounts.
	//
	// Contents are as [PostRecord] makes them. Users are without
	// [User.Flag], which tells of this store's inboxes. Of one whose account is
	// deleted only id, creation and deletion are left, and nothing names him but his
	// contents, purged or not. Left out are reactions to deleted contents, and what
	// users are to themselves, which means nothing. A content that answers or shows
	// one that is not stored, which no publisher lets through, is handed out as it is.
	Export(ctx context.Context, emit func(Record) error) error
}

// PostRecord returns the record that an [Exporter] hands out for a stored content: a
// copy without the author's mark. Of a deleted one only its place is left, which is
// what the contents that answer or show it need: neither text nor media, and no time
// of an edit.
func PostRecord(p *Post) Record {
	c := *p
	if c.DeletedAt != 0 {
		c.Text, c.Media, c.EditedAt = "", nil, 0
	}
	return Record{Post: &c}
}
