// Package tideline is a client of a Tideline server: one function for each of the
// operations in the folder operations, generated from them and from the schema.
//
//	client := tideline.New("https://feeds.example.org", tideline.WithToken(token))
//	page, err := tideline.HomeFeed(ctx, client, 20, nil, nil)
//	…
//	for _, edge := range page.Viewer.HomeFeed.Edges {
//		fmt.Println(edge.Node.Author.Name, edge.Node.Text)
//	}
//
// The next page is read with page.Viewer.HomeFeed.PageInfo.EndCursor in the place of the
// first nil. [Subscribe] tells of new ones.
//
// Ids are texts, also those of 64 bits, moments are [time.Time], and what may be null is a
// pointer. Cursors and global ids are opaque.
//
// An operation fails with an error that [CodeOf] can judge. A mutation that the server
// refused succeeds all the same, and says why in UserErrors: [Refused] makes an error of
// that.
//
// Who needs other fields copies the folder and runs genqlient himself; docs/clients.md
// says how.
package tideline
