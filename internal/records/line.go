package records

// The fields of a line, by type, in the order in which they are written. All of them
// are text; those that may be missing are left out when empty.
type (
	// userLine is a user. Of one with DeletedAt, whose account is deleted, handle and
	// name are empty.
	userLine struct {
		Type       string `json:"type"`
		ID         string `json:"id"`
		Handle     string `json:"handle"`
		Name       string `json:"name"`
		AvatarURL  string `json:"avatarUrl,omitempty"`
		CreatedAt  string `json:"createdAt"`
		LastSeenAt string `json:"lastSeenAt,omitempty"`
		DeletedAt  string `json:"deletedAt,omitempty"`
	}

	followLine struct {
		Type      string `json:"type"`
		Follower  string `json:"follower"`
		Followee  string `json:"followee"`
		CreatedAt string `json:"createdAt"`
	}

	// postLine is a content. One with DeletedAt is deleted: it stands for its place
	// between the contents that answer or show it, and its text is empty.
	postLine struct {
		Type        string   `json:"type"`
		ID          string   `json:"id"`
		Author      string   `json:"author"`
		Kind        string   `json:"kind"`
		Text        string   `json:"text"`
		Media       []string `json:"media,omitempty"`
		ReplyTo     string   `json:"replyTo,omitempty"`
		RepostOf    string   `json:"repostOf,omitempty"`
		PublishedAt string   `json:"publishedAt"`
		EditedAt    string   `json:"editedAt,omitempty"`
		DeletedAt   string   `json:"deletedAt,omitempty"`
	}

	reactionLine struct {
		Type      string `json:"type"`
		User      string `json:"user"`
		Post      string `json:"post"`
		CreatedAt string `json:"createdAt"`
	}

	// liveLine is a live session. Times that have not come are left out.
	liveLine struct {
		Type        string `json:"type"`
		ID          string `json:"id"`
		Host        string `json:"host"`
		Title       string `json:"title"`
		ScheduledAt string `json:"scheduledAt"`
		StartedAt   string `json:"startedAt,omitempty"`
		EndedAt     string `json:"endedAt,omitempty"`
		CancelledAt string `json:"cancelledAt,omitempty"`
		ReplayURL   string `json:"replayUrl,omitempty"`
	}

	relationLine struct {
		Type      string `json:"type"`
		User      string `json:"user"`
		Target    string `json:"target"`
		CreatedAt string `json:"createdAt"`
	}
)
