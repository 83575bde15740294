// Package web serves the pages that are part of the program: the web client and
// GraphiQL. Every file they need is embedded, so that they work without a network
// beyond the server, and each page has a Content-Security-Policy that lets the
// browser load nothing from elsewhere.
//
// Pages are asked for again every time and answered with 304 while they stay the
// same; the files they load have a hash of their content in their address and are
// kept for ever. Wrap the handlers in [httpbody.Compressor]. The files in dist are built from the folders client and graphiql, see
// the READMEs there.
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
//go:embed dist pages
var files embed.FS

// graphiqlPolicy lets GraphiQL run its one script, draw the small pictures that
// its style sheet carries inside, and talk to its own server, sockets included.
const graphiqlPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

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
	mount(mux, "/graphiql/LICENCES.txt", []byte(GraphiQLLicences()), askAgain)
	mux.Handle("GET /graphiql", newPage(page, graphiqlPolicy))
	mux.Handle("GET /graphiql/{$}", http.RedirectHandler("/graphiql", http.StatusMovedPermanently))
	return mux
}

// GraphiQLLicences returns the licence texts of the packages that GraphiQL is built from.
func GraphiQLLicences() string { return string(read("dist/graphiql/LICENCES.txt")) }

// ClientLicences returns those of the packages that the web client is built from.
func ClientLicences() string { return string(read("dist/client/LICENCES.txt")) }

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
