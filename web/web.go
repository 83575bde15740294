// Package web serves the pages that are part of the program: the start page and
// GraphiQL. Every file they need is embedded, so that they work without a network
// beyond the server, and each page has a Content-Security-Policy that lets the
// browser load nothing from elsewhere.
//
// Pages are asked for again every time and answered with 304 while they stay the
// same; the files they load have a hash of their content in their address and are
// kept for ever. The files in dist are built from the folder graphiql, see the
// README there.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
)

// files are the pages as written and the bundles as built.
//
//go:embed dist/graphiql pages
var files embed.FS

const (
	// graphiqlPolicy lets GraphiQL run its one script, draw the small pictures that
	// its style sheet carries inside, and talk to its own server, sockets included.
	graphiqlPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

	// landingPolicy is stricter: no pictures inside style sheets, and no text may
	// become a script. The sign-in form is sent by the script; forbidding the
	// browser to send it keeps a token out of the address should the script fail.
	landingPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)

// GraphiQL returns the handler of GraphiQL, to be mounted at both /graphiql and
// /graphiql/. It sends its operations to endpoint, a path on this server such as
// /graphql, by POST with the session cookie, and subscriptions over a WebSocket to
// the same path. It answers GET and HEAD.
func GraphiQL(endpoint string) http.Handler {
	var bundle struct{ Script, Style string }
	if err := json.Unmarshal(read("dist/graphiql/manifest.json"), &bundle); err != nil {
		panic(fmt.Sprintf("web: the manifest of GraphiQL is damaged: %v", err))
	}
	mux := http.NewServeMux()
	at := func(name string) string {
		return mount(mux, "/graphiql/"+path.Base(name), read(name), forEver)
	}
	page := render("pages/graphiql.html", struct{ Icon, Script, Style, Endpoint string }{
		Icon:     mountHashed(mux, "/graphiql/", "pages/icon.svg"),
		Script:   at("dist/graphiql/" + bundle.Script),
		Style:    at("dist/graphiql/" + bundle.Style),
		Endpoint: endpoint,
	})
	mount(mux, "/graphiql/LICENCES.txt", read("dist/graphiql/LICENCES.txt"), askAgain)
	mux.Handle("GET /graphiql", newPage(page, graphiqlPolicy))
	mux.Handle("GET /graphiql/{$}", http.RedirectHandler("/graphiql", http.StatusMovedPermanently))
	return mux
}

// LandingInfo is what the start page says of the server it is served by.
type LandingInfo struct {
	// Version is the program's version, shown at the foot; nothing is when empty.
	Version string
}

// Landing returns the handler of the start page, to be mounted at /. It serves /
// and the files of the page below /assets/, answers GET and HEAD, and knows nothing
// else. The page expects /session, /graphiql, /tasks, /schema.graphql and /healthz
// beside it.
func Landing(info LandingInfo) http.Handler {
	mux := http.NewServeMux()
	page := render("pages/landing.html", struct{ Icon, Script, Style, Version string }{
		Icon:    mountHashed(mux, "/assets/", "pages/icon.svg"),
		Script:  mountHashed(mux, "/assets/", "pages/landing.js"),
		Style:   mountHashed(mux, "/assets/", "pages/landing.css"),
		Version: info.Version,
	})
	mux.Handle("GET /{$}", newPage(page, landingPolicy))
	return mux
}

// mountHashed serves an embedded file under an address below prefix that has a hash
// of its content in it, and returns the address.
func mountHashed(mux *http.ServeMux, prefix, name string) string {
	content := read(name)
	ext := path.Ext(name)
	stem := path.Base(name[:len(name)-len(ext)])
	return mount(mux, prefix+stem+"-"+digest(content)+ext, content, forEver)
}

func mount(mux *http.ServeMux, address string, content []byte, caching string) string {
	mux.Handle("GET "+address, newAsset(path.Ext(address), content, caching))
	return address
}

// read returns an embedded file. That it is there is settled when the program is
// built.
func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("web: the program was built without %s: %v", name, err))
	}
	return content
}

// render fills in an embedded page, once: nothing on it depends on the request.
func render(name string, data any) []byte {
	var page bytes.Buffer
	if err := template.Must(template.New(name).Parse(string(read(name)))).Execute(&page, data); err != nil {
		panic(fmt.Sprintf("web: the page %s cannot be rendered: %v", name, err))
	}
	return page.Bytes()
}

// digest returns 64 bits of the content's hash in hexadecimal: enough to tell
// versions of one file apart.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}
