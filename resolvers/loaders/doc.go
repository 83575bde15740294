// Package loaders has the dataloaders of one GraphQL operation. They batch the reads of many fields
// into one read for each kind of object.
//
// A page does not wait for that: its resolver knows all posts and what is selected of them, so
// [Loaders.HydratePosts] reads everything in bulk, and fields find their values in the loaders.
// Other fields wait a millisecond for more keys: nested lists, which are read as pages together
// ([Loaders.Page]), nodes of several fields, and the post of a mutation.
package loaders
