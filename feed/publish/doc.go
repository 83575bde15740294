// Package publish changes posts on behalf of their authors and readers: it publishes, edits and
// deletes them, and sets reactions. A publish is committed together with an event, which the
// fan-out brings into the inboxes of followers.
package publish
