// Package records reads and writes the records that Tideline imports and exports:
// one JSON object a line, told apart by "type" (users, follows, posts, likes,
// favorites, mutes, hides and blocks). It also reads an edge list, which makes a
// graph of mutual follows. It checks each line by itself; what takes the rest of the
// data to know, the store checks. Records are stored as they are, or, by [Live],
// played as if they happened now.
package records
