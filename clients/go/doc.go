// Package tideline is a client of a Tideline server. It has one function for each operation in
// the folder operations, generated from these and the schema.
//
//	client := tideline.New("https://feeds.example.org", tideline.WithToken(token))
//	page, err := tideline.HomeFeed(ctx, client, 20, nil, nil)
//	…
//	for _, edge := range page.Viewer.HomeFeed.Edges {
//		fmt.Println(edge.Node.Author.Name, edge.Node.Text)
//	}
//
// For home feeds there is [Home], whose pages and changes are iterators. [Entries] keeps what was
// read current:
//
//	home := tideline.NewHome("https://feeds.example.org", tideline.Connection(tideline.WithToken(token)))
//	var entries tideline.Entries
//	var since string
//	for page, err := range home.Pages(ctx) {
//		…
//		entries.Add(page)
//		if page.SyncToken != nil {
//			since = *page.SyncToken
//		}
//	}
//	for changes, err := range home.Changes(ctx, since) {
//		…
//		entries.Apply(changes)
//	}
//
// Ids are strings, times are [time.Time], nullable fields are pointers. Cursors and global ids are
// opaque.
//
// [CodeOf] returns the code of a failed operation. A refused mutation returns no error, but
// UserErrors, which [Refused] converts to an error.
//
// For other fields, run genqlient on your own operations, as docs/clients.md describes.
package tideline
