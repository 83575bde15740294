// Package records reads the records that Tideline imports: one JSON object a line,
// told apart by "type" (users, follows, posts, likes, favorites, mutes, hides and
// blocks), or an edge list that makes a graph of mutual follows. It checks each
// line by itself; what takes the rest of the data to know, the store checks.
package records
