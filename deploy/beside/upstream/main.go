// Command upstream is an example of the services that own posts, users and counters. It serves them
// from a file of change records, by Connect, gRPC, gRPC-Web and JSON.
//
//	go run ./deploy/beside/upstream -addr 127.0.0.1:9000 -records records.ndjson
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	tidelinev1 "github.com/tideline-feeds/tideline/api/tideline/v1"
	"github.com/tideline-feeds/tideline/api/tideline/v1/tidelinev1connect"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:9000", "address to listen on")
	file := flag.String("records", "records.ndjson", "file of change records")
	after := flag.Duration("after", 0, "how long each answer takes")
	flag.Parse()
	if err := run(*addr, *file, *after); err != nil {
		log.Fatal(err)
	}
}

func run(addr, file string, after time.Duration) error {
	in, err := os.Open(file) //nolint:gosec // the caller names it
	if err != nil {
		return err
	}
	all, err := read(in)
	if err = firstOf(err, in.Close()); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("serving on http://%s\n", listener.Addr())
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true) // for gRPC
	server := &http.Server{Handler: slow(all.handler(), after), Protocols: protocols, ReadHeaderTimeout: 5 * time.Second}
	return server.Serve(listener)
}

// slow answers after some time.
func slow(h http.Handler, after time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(after)
		h.ServeHTTP(w, r)
	})
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// record has the fields of change records that the services need.
type record struct {
	Type      string
	ID        string
	Text      string
	Media     []string
	EditedAt  time.Time
	DeletedAt time.Time
	Handle    string
	Name      string
	AvatarURL string `json:"avatarUrl"`
	Custom    json.RawMessage
	Version   int64
	Epoch     int64

	// Those of counters.
	User, Post                          string
	Likes, Comments, Reposts, Favorites int64
	Followers, Following, Posts         int64
}

// records are the newest records, by their ids.
type records struct{ posts, users, countersOfPosts, countersOfUsers map[string]record }

func read(from io.Reader) (*records, error) {
	all := &records{map[string]record{}, map[string]record{}, map[string]record{}, map[string]record{}}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, err
		}
		switch {
		case r.Type == "post":
			all.posts[r.ID] = r
		case r.Type == "user":
			all.users[r.ID] = r
		case r.Type == "counters" && r.Post != "":
			all.countersOfPosts[r.Post] = r
		case r.Type == "counters":
			all.countersOfUsers[r.User] = r
		}
	}
	return all, lines.Err()
}

func (all *records) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(tidelinev1connect.NewPostServiceHandler(postService{all}))
	mux.Handle(tidelinev1connect.NewUserServiceHandler(userService{all}))
	mux.Handle(tidelinev1connect.NewCounterServiceHandler(counterService{all}))
	return mux
}

type postService struct{ *records }

// BatchGet implements the service.
func (s postService) BatchGet(
	_ context.Context, request *connect.Request[tidelinev1.PostServiceBatchGetRequest],
) (*connect.Response[tidelinev1.PostServiceBatchGetResponse], error) {
	out := &tidelinev1.PostServiceBatchGetResponse{}
	for _, id := range request.Msg.GetIds() {
		r, found := s.posts[id]
		result := &tidelinev1.PostResult{Id: id}
		switch {
		case !found:
			result.Outcome = &tidelinev1.PostResult_NotFound{NotFound: &tidelinev1.NotFound{}}
		case !r.DeletedAt.IsZero():
			result.Outcome = &tidelinev1.PostResult_Gone{Gone: &tidelinev1.Gone{Version: r.Version, Epoch: r.Epoch}}
		default:
			post := &tidelinev1.Post{Version: r.Version, Epoch: r.Epoch, Text: r.Text, Media: r.Media, Custom: string(r.Custom)}
			if !r.EditedAt.IsZero() {
				post.EditedAt = timestamppb.New(r.EditedAt)
			}
			result.Outcome = &tidelinev1.PostResult_Found{Found: post}
		}
		out.Results = append(out.Results, result)
	}
	return connect.NewResponse(out), nil
}

type userService struct{ *records }

// BatchGet implements the service.
func (s userService) BatchGet(
	_ context.Context, request *connect.Request[tidelinev1.UserServiceBatchGetRequest],
) (*connect.Response[tidelinev1.UserServiceBatchGetResponse], error) {
	out := &tidelinev1.UserServiceBatchGetResponse{}
	for _, id := range request.Msg.GetIds() {
		r, found := s.users[id]
		result := &tidelinev1.UserResult{Id: id}
		switch {
		case !found:
			result.Outcome = &tidelinev1.UserResult_NotFound{NotFound: &tidelinev1.NotFound{}}
		case !r.DeletedAt.IsZero():
			result.Outcome = &tidelinev1.UserResult_Gone{Gone: &tidelinev1.Gone{Version: r.Version, Epoch: r.Epoch}}
		default:
			result.Outcome = &tidelinev1.UserResult_Found{Found: &tidelinev1.User{
				Version: r.Version, Epoch: r.Epoch, Handle: r.Handle, Name: r.Name, AvatarUrl: r.AvatarURL, Custom: string(r.Custom),
			}}
		}
		out.Results = append(out.Results, result)
	}
	return connect.NewResponse(out), nil
}

type counterService struct{ *records }

// BatchGet implements the service.
func (s counterService) BatchGet(
	_ context.Context, request *connect.Request[tidelinev1.CounterServiceBatchGetRequest],
) (*connect.Response[tidelinev1.CounterServiceBatchGetResponse], error) {
	out := &tidelinev1.CounterServiceBatchGetResponse{}
	for _, id := range request.Msg.GetPostIds() {
		r := s.countersOfPosts[id]
		out.Posts = append(out.Posts, &tidelinev1.PostCounters{
			Id: id, Likes: r.Likes, Comments: r.Comments, Reposts: r.Reposts, Favorites: r.Favorites,
		})
	}
	for _, id := range request.Msg.GetUserIds() {
		r := s.countersOfUsers[id]
		out.Users = append(out.Users, &tidelinev1.UserCounters{
			Id: id, Followers: r.Followers, Following: r.Following, Posts: r.Posts,
		})
	}
	return connect.NewResponse(out), nil
}
