package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// clientPolicy lets the client run its scripts, use its style sheet, and talk to its
// own server, sockets included. It is stricter than GraphiQL's: no pictures inside style
// sheets, and no text may become a script. The sign-in form is sent by the script;
// forbidding the browser to send it keeps a token out of the address should the script
// fail.
const clientPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// clientEntry is the source that the client starts with, as the manifest names it.
const clientEntry = "src/main.tsx"

// clientAddresses returns the addresses of the client's pages, as patterns of
// [http.ServeMux]. All are answered with the same page, whose script reads the address:
// web/client/src/app/routes.ts.
func clientAddresses() []string {
	return []string{"/{$}", "/u/{handle}", "/p/{id}", "/live", "/search", "/settings"}
}

// ClientInfo is what the client says of the server it is served by.
type ClientInfo struct {
	// Version is the program's version, shown among the settings; nothing is when empty.
	Version string
}

// Client returns the handler of the web client, to be mounted at /. It serves the
// client's pages at /, /u/{handle}, /p/{id}, /live, /search and /settings, and their
// files below /assets/, and answers GET and HEAD. Who opens any other address in a browser
// is told by the same page, with status 404, that there is nothing. The client expects
// /graphql, /session, /graphiql, /tasks, /schema.graphql and /healthz beside it.
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

// manifest says which file each source, or each group of sources, was built into.
type manifest map[string]struct {
	File string
	// Imports are the keys of what is loaded with it.
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

// style returns the one style sheet.
func (m manifest) style() string {
	for _, built := range m {
		if path.Ext(built.File) == ".css" {
			return built.File
		}
	}
	panic("web: the manifest of the client names no style sheet")
}

// mountFolder serves the files that the client loads, whose names have a hash of their
// content, and the licences of what they are made of.
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

// nothing answers that there is nothing: with the page to whoever opens it in a browser,
// and with a line to programs and to what pages load.
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
