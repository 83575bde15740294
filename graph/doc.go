// Package graph has the GraphQL schema, the executor that gqlgen generates from it, and the inputs
// and payloads. Package graph/model has the hand-written types, and graph/pagejson writes pages
// faster than the executor. Package resolvers implements the fields.
//
// Schema types are bound to domain structs (gqlgen.yml), so that most fields of a post or a user are
// read without a resolver call.
package graph

//go:generate go run -C ../internal/cmd/schemagen . ../../../graph
//go:generate go run ../internal/cmd/schema ../schema.graphql
