package tideline_test

import (
	"context"
	"fmt"
	"log"
	"os"

	tideline "github.com/tideline-feeds/tideline/clients/go"
)

func ExampleClient() {
	ctx, token := context.Background(), os.Getenv("TOKEN")
	client := tideline.NewClient("https://feeds.example.org", tideline.WithToken(token))
	page, err := client.HomeFeed(ctx, tideline.First(50), tideline.OfKinds(tideline.PostKindPost))
	if err != nil {
		log.Fatal(tideline.CodeOf(err), err)
	}
	for _, edge := range page.Edges {
		fmt.Println(edge.Node.Author.Name, edge.Node.Text)
	}
	if _, err := client.Publish(ctx, "Hello", tideline.ReplyTo(page.Edges[0].Node.Id)); err != nil {
		log.Fatal(err)
	}
}

func ExampleAll() {
	ctx := context.Background()
	client := tideline.NewClient("https://feeds.example.org")
	followers := func(page tideline.PageOption) (*tideline.UserPage, error) {
		return client.Followers(ctx, "ann", tideline.First(100), page)
	}
	for edge, err := range tideline.All(followers) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(edge.Node.Handle)
	}
}

func ExampleClient_Home() {
	ctx, token := context.Background(), os.Getenv("TOKEN")
	client := tideline.NewClient("https://feeds.example.org", tideline.WithToken(token))
	home := client.Home(tideline.PageSize(50))
	var entries tideline.Entries
	var since string
	for page, err := range home.Pages(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		entries.Add(page)
		if page.SyncToken != nil {
			since = *page.SyncToken
		}
	}
	for changes, err := range home.Changes(ctx, since) {
		if err != nil {
			log.Fatal(err)
		}
		if !entries.Apply(changes) {
			break // after a RESET: begin again with the pages
		}
		fmt.Println(len(entries.List()), "posts")
	}
}

func ExampleClient_Live() {
	ctx, token := context.Background(), os.Getenv("TOKEN")
	client := tideline.NewClient("https://feeds.example.org", tideline.WithToken(token))
	live := client.Live()
	var sessions tideline.LiveEntries
	var since string
	for page, err := range live.Pages(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		sessions.Add(page)
		if page.SyncToken != nil {
			since = *page.SyncToken
		}
	}
	for changes, err := range live.Changes(ctx, since) {
		if err != nil {
			log.Fatal(err)
		}
		if !sessions.Apply(changes) {
			break // after a RESET: begin again with the pages
		}
		for _, edge := range sessions.List() {
			fmt.Println(edge.Node.State, edge.Node.Title)
		}
	}
}
