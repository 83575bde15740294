// Package texts holds the rules for texts that users give: handles, names, titles and
// posts. Mutations, imports, token claims and searches use the same functions, so that a
// text which one of them refuses does not come in through another.
//
// Functions named …Fault return what is wrong as the end of a sentence that begins with
// the thing ("must contain a visible character"), and the empty text if nothing is wrong.
//
// The package knows nothing of users and stores. It is the one package that the domain
// imports besides the standard library, because
// Unicode's tables are not in it.
package texts
