// Package page makes the requests that the load generator sends and verifies every response.
//
// It computes the expected page from the generated network (package world). It therefore detects
// missing, repeated and misplaced posts, and posts of authors that the viewer does not follow,
// under load. Full verification takes longer than making the page. The package therefore recognises
// verified bodies by their hash and verifies only new ones.
package page
