module github.com/tideline-feeds/tideline/clients/go

go 1.26.0

require (
	github.com/Khan/genqlient v0.8.1
	github.com/google/go-cmp v0.7.0
	github.com/vektah/gqlparser/v2 v2.5.64
)

require github.com/google/uuid v1.6.0 // indirect
