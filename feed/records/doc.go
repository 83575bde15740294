// Package records imports and exports the records of Tideline: JSON lines with a "type" (users,
// follows, posts, live sessions, likes, favorites, mutes, hides, blocks, lists and their members). It also imports edge
// lists as graphs of mutual follows. It validates single lines; the store checks everything that
// depends on other data. Records are stored as they are or, by [Live], played as if they happened
// now.
package records
