// Package compare finds what differs between the objects of a source and those that are stored.
package compare
