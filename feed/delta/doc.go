// Package delta reads what has changed in a home feed since a sync token (docs/adr/0044). The
// change log names posts, and each is judged as it is now. Inboxes are not read.
//
// A row of the log under a followee, or under the viewer, names one post. A changed relation names
// all posts of the other user, and those reposts of them that the viewer's sources have published.
package delta
