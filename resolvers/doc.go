// Package resolvers implements the GraphQL API on the services of the domain. A resolver reads its
// arguments, calls one service, and returns domain types. The viewer comes from the context
// ([WithViewer]), never from arguments.
//
// gqlgen maintains the *.resolvers.go files. The other files have what resolvers share: pages and
// their selections, ids, errors, and the HTTP handler.
package resolvers
