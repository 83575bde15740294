// Package resolvers turns GraphQL requests into calls of the domain. A resolver
// reads its arguments, calls one service, and returns domain types; whoever asks is
// in the context ([WithViewer]) and nowhere else.
//
// The *.resolvers.go files are kept up to date by the generator and hold one method
// for each field that has work to do. What they share stands beside them: pages and
// what a client selected of them, ids and refusals of mutations, the table of errors,
// and the HTTP handler with its limits.
package resolvers
