package feed

import (
	"cmp"
	"slices"
)

// Field is a stored field of a record's object, besides its ids. Comparison, updates, partial records,
// exports, lines and columns go through the lists of fields, so a new field is named once.
type Field[T any] struct {
	// Name is the name in records. Columns have it in snake case.
	Name string
	// At returns a pointer to the field: *string, *[]string, *int64, *bool, *Kind, *PostID, *UserID,
	// *OtherMedia, *PostAudience, *HiddenFor or *CustomFields.
	At func(*T) any
	// Form is what the field holds, if At does not say it.
	Form FieldForm
	// Fixed says that the field never changes. Content says that it may, and that a deleted object
	// does not have it. Required says that a record that is not partial must name it.
	Fixed, Content, Required bool
	// Set copies the field.
	Set func(to, from *T)

	differs func(a, b *T) bool
}

// FieldForm is what an int64 holds.
type FieldForm int

// The forms. A moment is a time in milliseconds since the epoch; 0 is the epoch or none. For an event,
// 0 means that it has not happened.
const (
	FormCount FieldForm = iota
	FormMoment
	FormEvent
)

func fieldOf[T any, V comparable](name string, at func(*T) *V) Field[T] {
	return compared(name, at, func(a, b V) bool { return a == b })
}

func textsOf[T any](name string, at func(*T) *[]string) Field[T] {
	return compared(name, at, slices.Equal[[]string])
}

func compared[T, V any](name string, at func(*T) *V, equal func(a, b V) bool) Field[T] {
	return Field[T]{
		Name: name, At: func(v *T) any { return at(v) },
		Set:     func(to, from *T) { *at(to) = *at(from) },
		differs: func(a, b *T) bool { return !equal(*at(a), *at(b)) },
	}
}

func (f Field[T]) holding(form FieldForm) Field[T] {
	f.Form = form
	return f
}

func (f Field[T]) fixed() Field[T] {
	f.Fixed = true
	return f
}

func (f Field[T]) content() Field[T] {
	f.Content = true
	return f
}

func (f Field[T]) required() Field[T] {
	f.Required = true
	return f
}

// Place returns the function that finds a field of type V. It panics for another type.
func Place[V, T any](f Field[T]) func(*T) *V {
	return func(v *T) *V { return f.At(v).(*V) }
}

// Complete sets the fields that has does not name to those of stored.
func Complete[T any](fields []Field[T], v, stored *T, has func(name string) bool) {
	for _, f := range fields {
		if !has(f.Name) {
			f.Set(v, stored)
		}
	}
}

// different names the fields that differ, of those for which of is true; nil for all.
func different[T any](fields []Field[T], a, b *T, of func(Field[T]) bool) (d Difference) {
	for _, f := range fields {
		if f.differs(a, b) && (of == nil || of(f)) {
			d.Fields = append(d.Fields, f.Name)
		}
	}
	return d
}

// audienceField keeps the stored audience if a record does not name one.
func audienceField() Field[Post] {
	f := fieldOf("audience", func(p *Post) *PostAudience { return &p.Audience }).content()
	f.differs = func(stored, r *Post) bool { return r.Audience != AudienceOfParent && r.Audience != stored.Audience }
	f.Set = func(to, from *Post) {
		if from.Audience != AudienceOfParent {
			to.Audience = from.Audience
		}
	}
	return f
}

// audienceAuthorField keeps the stored audience author if a record does not name one.
func audienceAuthorField() Field[Post] {
	f := fieldOf("audienceAuthor", func(p *Post) *UserID { return &p.AudienceAuthor })
	f.differs = func(stored, r *Post) bool { return r.AudienceAuthor != 0 && r.AudienceAuthor != stored.AudienceAuthor }
	f.Set = func(to, from *Post) {
		if from.AudienceAuthor != 0 {
			to.AudienceAuthor = from.AudienceAuthor
		}
	}
	return f
}

// takenDownField leaves it to moderators what they have hidden.
func takenDownField() Field[Post] {
	f := fieldOf("takenDown", func(p *Post) *HiddenFor { return &p.TakenDown })
	f.differs = func(stored, r *Post) bool { return stored.TakenDown.ByRecord(r.TakenDown) != stored.TakenDown }
	f.Set = func(to, from *Post) { to.TakenDown = to.TakenDown.ByRecord(from.TakenDown) }
	return f
}

// LeaveAudience marks the audience of a comment or repost as not named.
func (p *Post) LeaveAudience() {
	if p.Kind == KindComment || p.Kind == KindRepost {
		p.Audience = AudienceOfParent
	}
}

// InAudience returns the post as it is stored: with its author as audience author, or that of its
// parent, nil if that is not stored. A post that names its audience author has the audience that it
// names. Another one may narrow its parent's, but not widen it.
func (p *Post) InAudience(parent *Post) *Post {
	own := *p
	switch {
	case p.Parent() == 0:
		own.AudienceAuthor = p.Author
	case parent != nil:
		named := p.Audience == AudienceFollowers || p.Audience == AudiencePublic && p.AudienceAuthor != 0
		if !named && parent.Audience != AudienceOfParent {
			own.Audience = parent.Audience
		}
		own.AudienceAuthor = cmp.Or(p.AudienceAuthor, parent.AudienceAuthor)
	}
	return &own
}

// Inherited is a stored field that a repost without text takes from its original, as of its
// publication, unless its record names the field.
type Inherited struct {
	Field[Post]
	// Leave marks the field of a post as not named if it is empty. A stored post keeps its value then.
	Leave func(*Post)
	// take sets a marked field to that of the original, which is nil if it is not stored.
	take func(p, original *Post)
}

// InheritedFields returns the fields that reposts without text inherit.
func InheritedFields() []Inherited { return []Inherited{otherMediaField(), languageField()} }

// The values of fields that are marked.
const (
	languageOfOriginal            = "*"
	mediaOfOriginal    OtherMedia = -1
)

func languageField() Inherited {
	return inherited("language", func(p *Post) *string { return &p.Language }, languageOfOriginal, func(p *Post) string { return p.Language })
}

func otherMediaField() Inherited {
	return inherited("hasMedia", func(p *Post) *OtherMedia { return &p.OtherMedia }, mediaOfOriginal, func(p *Post) OtherMedia {
		if p.HasMedia() {
			return SomeOtherMedia
		}
		return NoOtherMedia
	})
}

func inherited[V comparable](name string, at func(*Post) *V, left V, of func(original *Post) V) Inherited {
	f := fieldOf(name, at).content()
	f.differs = func(stored, r *Post) bool { return *at(r) != left && *at(r) != *at(stored) }
	f.Set = func(to, from *Post) {
		if *at(from) != left {
			*at(to) = *at(from)
		}
	}
	return Inherited{
		Field: f,
		Leave: func(p *Post) {
			if *at(p) == *new(V) {
				*at(p) = left
			}
		},
		take: func(p, original *Post) {
			if *at(p) != left {
				return
			}
			if *at(p) = *new(V); original != nil {
				*at(p) = of(original)
			}
		},
	}
}

// IsBareRepost reports whether the post is a repost without text. It inherits fields of its original.
func (p *Post) IsBareRepost() bool { return p.Kind == KindRepost && p.Text == "" && p.DeletedAt == 0 }

// Inherit returns the post with the fields of its original, nil if that is not stored, that its record
// leaves out. Other posts leave nothing out.
func (p *Post) Inherit(original *Post) *Post {
	if p.RepostOf == 0 {
		return p
	}
	own := *p
	for _, f := range InheritedFields() {
		f.take(&own, original)
	}
	return &own
}

// languageOfRecord returns the language that a record names.
func languageOfRecord(p *Post) string {
	if p.RepostOf != 0 && p.Language == languageOfOriginal {
		return ""
	}
	return p.Language
}
