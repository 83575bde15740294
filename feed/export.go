package feed

import "context"

// Exporter reads everything that an [Applier] can restore.
type Exporter interface {
	// Export calls emit with every record as of one moment. It stops at an error of emit and
	// returns it unchanged. emit may use the store and keep the records; their Line is 0.
	//
	// The order depends only on what is stored, so equal stores export the same. It can be
	// imported in one pass:
	//
	//   - users by id,
	//   - follows by follower and followee,
	//   - posts by id, except that the post which another one answers or reposts comes first:
	//     unless it was emitted already, it comes directly before, after the one it refers to,
	//   - reactions by post, reaction and user,
	//   - mutes, hides and blocks by user, relation and target,
	//   - live sessions by id, without those of deleted accounts,
	//   - counters that a source has sent: those of users by id, without deleted accounts, then those
	//     of posts by id.
	//
	// Absent users are marked, whether they were taken back or have not arrived. Posts are as
	// [PostRecord] returns them. Users have no [User.Flag], which describes this
	// store's inboxes. Of a deleted account, only id, creation time and deletion time remain, and
	// only its posts name it, purged or not. Reactions to deleted posts and relations of users to
	// themselves are left out. A post that refers to one that is not stored is emitted as it is;
	// no publish creates such a post.
	Export(ctx context.Context, emit func(Record) error) error
}
