// Package graph is the GraphQL schema as Go: the schema files, the code gqlgen
// generates from them, the connection types, the scalars and the global ids. It
// knows the domain's types and calls nothing; what a field does is in package
// resolvers.
//
// Domain types are bound to schema types directly (gqlgen.yml says which), so that
// the fields of a content or a user are read from the domain's structs without a
// resolver call each.
package graph

//go:generate go run ../internal/cmd/schemagen
//go:generate go run ../internal/cmd/schema ../schema.graphql
