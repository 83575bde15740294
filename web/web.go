// Package web serves the web client and GraphiQL from embedded files. The Content-Security-Policy
// of each page forbids loading from other servers.
//
// Browsers revalidate pages on every load. The files that pages load have a content hash in their
// address and are cached permanently. Wrap the handlers in [httpbody.Compressor].
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

//go:embed dist pages
var files embed.FS

// graphiqlPolicy allows GraphiQL's script, its style sheet's data: images, and its own server.
const graphiqlPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// GraphiQL returns the handler of GraphiQL, to be mounted at /graphiql and /graphiql/, for GET and
// HEAD. It sends operations to endpoint, a path on this server such as /graphql.
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

// GraphiQLLicences returns the licence texts of the packages in GraphiQL's bundle.
func GraphiQLLicences() string { return string(read("dist/graphiql/LICENCES.txt")) }

// ClientLicences returns the licence texts of the packages in the web client's bundles.
func ClientLicences() string { return string(read("dist/client/LICENCES.txt")) }

// mountHashed serves an embedded file at prefix and a content hash, and returns that address.
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

// read returns an embedded file. It panics if the build lacks the file.
func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("web: the program was built without %s: %v", name, err))
	}
	return content
}

// render executes the template of a page, once, because no page depends on the request.
func render(name string, data any) []byte {
	var page bytes.Buffer
	if err := template.Must(template.New(name).Parse(string(read(name)))).Execute(&page, data); err != nil {
		panic(fmt.Sprintf("web: the page %s cannot be rendered: %v", name, err))
	}
	return page.Bytes()
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}
