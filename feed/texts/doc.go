// Package texts has the rules for texts that users write: handles, names, titles and posts.
// Mutations, imports, token claims and searches share them, so none accepts what another refuses.
//
// Functions named …Fault return what is wrong, as the end of a sentence that begins with the
// field ("must contain a visible character"), and "" if nothing is.
//
// The package knows nothing of users and stores. It is the only one besides the standard library
// that package feed imports, because it needs Unicode tables.
package texts
