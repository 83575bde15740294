// Package page makes the requests that the load generator sends and judges every answer.
//
// What a page must hold is worked out from the made-up network (package world), so a page
// that lacks a content, shows one twice or in the wrong place, or comes from somebody the
// viewer does not follow, is found out while the server is under load. To judge one in full
// takes longer than the server takes to make it; so a body that was once found good is known
// again by its hash, and only bodies that are new are judged.
package page
