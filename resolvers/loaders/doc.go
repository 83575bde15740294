// Package loaders holds the dataloaders of one GraphQL operation. They answer a
// field's question about one content or user, and put the questions of many fields
// together into one read for each kind of thing.
//
// A page does not wait for that: its resolver knows all its contents and what the
// client selected, so [Loaders.HydratePosts] reads everything in bulk and primes
// the loaders, and the fields find their answers there. What has no such resolver above it
// gathers its keys for a millisecond: lists within lists, which are read and hydrated as one page
// ([Loaders.Page]), nodes of several fields, and the post of a mutation.
package loaders
