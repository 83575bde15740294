package tideline

import "context"

// ListOption sets a field of a list.
type ListOption func(*UpdateListInput)

// Named is the name of a list.
func Named(name string) ListOption { return func(in *UpdateListInput) { in.Name = &name } }

// Public says whether others may see a list.
func Public(on bool) ListOption { return func(in *UpdateListInput) { in.IsPublic = &on } }

// Exclusive says whether posts by the members of a list leave the viewer's home feed.
func Exclusive(on bool) ListOption { return func(in *UpdateListInput) { in.Exclusive = &on } }

func chooseList(options []ListOption) (in UpdateListInput) {
	for _, option := range options {
		option(&in)
	}
	return in
}

// Lists returns the lists of the viewer, latest first.
func (c *Client) Lists(ctx context.Context) ([]AuthorList, error) {
	got, err := Lists(ctx, c)
	if err != nil {
		return nil, err
	}
	if got.Viewer == nil {
		return nil, errAnonymous
	}
	return got.Viewer.Lists, nil
}

// CreateList makes a list, private and not exclusive unless options say otherwise.
func (c *Client) CreateList(ctx context.Context, name string, options ...ListOption) (*AuthorList, error) {
	in := chooseList(append([]ListOption{Named(name)}, options...))
	got, err := CreateList(ctx, c, CreateListInput{Name: *in.Name, IsPublic: in.IsPublic, Exclusive: in.Exclusive})
	if err != nil {
		return nil, err
	}
	return changedList(got.CreateList)
}

// UpdateList changes the fields of a list that options set.
func (c *Client) UpdateList(ctx context.Context, list ID, options ...ListOption) (*AuthorList, error) {
	in := chooseList(options)
	in.ListId = list
	got, err := UpdateList(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return changedList(got.UpdateList)
}

// DeleteList deletes a list. Deleting twice is no error.
func (c *Client) DeleteList(ctx context.Context, list ID) error {
	got, err := DeleteList(ctx, c, ListIdInput{ListId: list})
	if err != nil {
		return err
	}
	return Refused(got.DeleteList.UserErrors)
}

// AddToList adds at most 100 users to a list: all of them or none.
func (c *Client) AddToList(ctx context.Context, list ID, users ...ID) (*AuthorList, error) {
	got, err := AddToList(ctx, c, ListMembersInput{ListId: list, UserIds: users})
	if err != nil {
		return nil, err
	}
	return changedList(got.AddToList)
}

// RemoveFromList removes at most 100 users from a list.
func (c *Client) RemoveFromList(ctx context.Context, list ID, users ...ID) (*AuthorList, error) {
	got, err := RemoveFromList(ctx, c, ListMembersInput{ListId: list, UserIds: users})
	if err != nil {
		return nil, err
	}
	return changedList(got.RemoveFromList)
}

// ListFeed returns a page of the posts of a list's members, newest first; nil if the viewer sees no such list.
func (c *Client) ListFeed(ctx context.Context, list ID, options ...PageOption) (*ContentPage, error) {
	p := choose(options)
	got, err := ListFeed(ctx, c, list, p.first, p.after)
	if err != nil || got.Node == nil {
		return nil, err
	}
	found, isList := (*got.Node).(*ListFeedNodeAuthorList)
	if !isList {
		return nil, nil
	}
	return &found.Feed, nil
}

// ListMembers returns a page of the members of a list, latest added first; nil if the viewer sees no such list.
func (c *Client) ListMembers(ctx context.Context, list ID, options ...PageOption) (*UserPage, error) {
	p := choose(options)
	got, err := ListMembers(ctx, c, list, p.first, p.after)
	if err != nil || got.Node == nil {
		return nil, err
	}
	found, isList := (*got.Node).(*ListMembersNodeAuthorList)
	if !isList {
		return nil, nil
	}
	return &found.Members, nil
}

func changedList(c ListChange) (*AuthorList, error) { return c.List, Refused(c.UserErrors) }
