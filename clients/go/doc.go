// Package tideline is a client of a Tideline server:
//
//	client := tideline.NewClient("https://feeds.example.org", tideline.WithToken(token))
//	page, err := client.HomeFeed(ctx, tideline.First(50))
//	…
//	for _, edge := range page.Edges {
//		fmt.Println(edge.Node.Author.Name, edge.Node.Text)
//	}
//	post, err := client.Publish(ctx, "Hello", tideline.ReplyTo(page.Edges[0].Node.Id))
//
// [All] reads all pages of a list. [Client.Home] and [Client.Live] have iterators for the pages and
// the changes of home and live feeds. [Entries] and [LiveEntries] keep what was read current.
//
// The package also has one function for each operation in the folder operations, generated from
// these and the schema. They take a Client and plain arguments. Use them for what Client has no
// method for, such as planning a live session.
//
// Ids are strings, times are [time.Time], nullable fields are pointers. Cursors and global ids are
// opaque.
//
// [CodeOf] returns the code of a failed operation. A refused mutation returns no error, but
// UserErrors, which [Refused] converts to an error.
//
// For other fields, run genqlient on your own operations, as docs/clients.md describes.
package tideline
