// Package doctor finds what is wrong with feeds and inboxes: it compares what viewers are shown,
// and what their inboxes hold, with what the source of truth says. It changes nothing.
package doctor
