package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// clientPolicy is stricter than graphiqlPolicy: no data: images, and trusted types for scripts.
// Only the script sends the sign-in form; form-action keeps a token out of the address if the
// script fails.
const clientPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

const clientEntry = "src/main.tsx"

// clientAddresses are patterns of [http.ServeMux]. Their one page routes by script
// (client/src/app/routes.ts).
func clientAddresses() []string {
	return []string{"/{$}", "/u/{handle}", "/p/{id}", "/lists", "/lists/{id}", "/live", "/moderation", "/requests", "/search", "/settings"}
}

// ClientInfo is information about the server that the client shows.
type ClientInfo struct {
	// Version is the version of the program; empty shows none.
	Version string
}

// Client returns the handler of the web client, to be mounted at /, for GET and HEAD. In a browser,
// unknown addresses get the page with status 404. The client uses /graphql, /session, /graphiql,
// /tasks, /schema.graphql and /healthz of the same server.
func Client(info ClientInfo) http.Handler {
	mux := http.NewServeMux()
	built := readManifest()
	entry := built[clientEntry]
	if entry.File == "" {
		panic("web: the manifest of the client does not name " + clientEntry)
	}
	at := func(name string) string { return "/assets/" + name }
	mountFolder(mux, "dist/client", at)
	var imports []string
	for _, name := range entry.Imports {
		imports = append(imports, at(built[name].File))
	}
	page := render("pages/client.html", struct {
		Icon, Script, Style, Version string
		Imports                      []string
	}{
		Icon:    mountHashed(mux, "/assets/", "pages/icon.svg"),
		Script:  at(entry.File),
		Style:   at(built.style()),
		Imports: imports,
		Version: info.Version,
	})
	for _, address := range clientAddresses() {
		mux.Handle("GET "+address, newPage(page, clientPolicy))
	}
	mux.Handle("GET /", nothing(page))
	mux.Handle("GET /assets/", http.NotFoundHandler())
	return mux
}

// manifest maps each source, or group of sources, to its bundle.
type manifest map[string]struct {
	File string
	// Imports are the keys of the bundles that load with it.
	Imports []string
	CSS     []string
}

func readManifest() manifest {
	var m manifest
	if err := json.Unmarshal(read("dist/client/manifest.json"), &m); err != nil {
		panic(fmt.Sprintf("web: the manifest of the client is damaged: %v", err))
	}
	return m
}

func (m manifest) style() string {
	for _, built := range m {
		if path.Ext(built.File) == ".css" {
			return built.File
		}
	}
	panic("web: the manifest of the client names no style sheet")
}

// mountFolder serves the bundles of the client, whose names contain a content hash.
func mountFolder(mux *http.ServeMux, folder string, at func(name string) string) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		panic(fmt.Sprintf("web: the program was built without %s: %v", folder, err))
	}
	for _, entry := range entries {
		switch name := entry.Name(); path.Ext(name) {
		case ".js", ".css":
			mount(mux, at(name), read(path.Join(folder, name)), forEver)
		case ".txt":
			mount(mux, at(name), read(path.Join(folder, name)), askAgain)
		}
	}
}

// nothing responds with 404: with the page to a browser that opens the address, else with one line.
func nothing(page []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept"), "text/html") {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", clientPolicy)
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(page)
	})
}
