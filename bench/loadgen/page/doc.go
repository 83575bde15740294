// Package page makes the requests that the load generator sends and verifies every response.
//
// It computes the expected page from the generated network (package world), so it detects a
// missing, repeated or misplaced post, or one by an author that the viewer does not follow, while
// the server is under load. Full verification takes longer than making the page, so a body that was
// once verified is recognised by its hash, and only new bodies are verified.
package page
