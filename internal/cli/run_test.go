package cli

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// run runs a command and returns its exit code and output. The context stops a command that serves
// by mistake.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = Run(eventually.Context(t), args, &out, &err)
	return code, out.String(), err.String()
}

func TestSettings_WrongValueNamesAllowedOnes(t *testing.T) {
	const example = "at-least-32-bytes-that-nobody-guesses"
	broken := filepath.Join(t.TempDir(), "broken.json")
	check(t, os.WriteFile(broken, []byte(`{"a":"{ nothing }"}`), 0o600))
	t.Setenv("TIDELINE_DATA_DIR", t.TempDir())
	for args, want := range map[string]string{
		"--nonsense":                        "unknown flag --nonsense",
		"dance":                             "unexpected argument dance: there is no such command; tideline help lists all",
		"sevre":                             "there is no such command (did you mean serve?)",
		"token --user=1 more":               "unexpected argument more",
		"serve --push-treshold=3":           `did you mean "--push-threshold"?`,
		"serve --sample=3":                  "it is a flag of shadow and doctor",
		"--jwt-secret=" + example:           "--jwt-secret is the public example of the documentation",
		"--service-token=" + example:        "--service-token is the public example",
		"--jwt-secret=short":                "--jwt-secret must have at least 32 bytes, not 5",
		"--fanout=sideways":                 `--fanout must be one of "hybrid","push","pull"`,
		"--role=king":                       `--role must be one of "all","api","worker"`,
		"--log-level=loud":                  "--log-level",
		"--introspection=perhaps":           `--introspection must be one of "auto","on","off"`,
		"--push-threshold=-1":               "--push-threshold must be from 0 to",
		"--active-for=59s":                  "--active-for must be from 1m to 87600h, not 59s",
		"--subtask-size=0":                  "--subtask-size must be from 1 to 100000, not 0",
		"--inbox-cap=x":                     "--inbox-cap",
		"--cache-mb=-1":                     "--cache-mb must be from 0 to 65536, not -1",
		"--cache-ttl=2h":                    "--cache-ttl must be from 0s to 1h0m0s, not 2h0m0s",
		"--database-connections=0":          "--database-connections must be from 2 to 1000, not 0",
		"--database-lock-timeout=0s":        "--database-lock-timeout must be from 10ms to 24h0m0s, not 0s",
		"--database-url=mysql://x":          `--database-url must start with sqlite:// or postgres://, not "mysql://"`,
		"--redis-url=http://x":              `--redis-url must be embedded, redis://`,
		"--addr=nowhere":                    "--addr must be HOST:PORT",
		"--addr=:8080":                      "needs --jwt-secret or --jwks-url; without either only 127.0.0.1 and localhost are allowed",
		"--admin-addr=9090":                 `--admin-addr must be HOST:PORT, such as 127.0.0.1:9090, not "9090"`,
		"--admin-addr=:9090":                "needs an --admin-token; without one only 127.0.0.1 and localhost are allowed",
		"--jwks-url=http://id.example/keys": "--jwks-url must be https://HOST/PATH, or http:// on this machine",
		"--jwt-audience=tideline":           "needs a --jwks-url",
		"--clock-leeway=6m":                 "--clock-leeway must be from 0s to 5m0s, not 6m0s",
		"--slow-operation=-1s":              "--slow-operation must be 0s or longer, not -1s",
		"--otlp-endpoint=collector:4318":    "--otlp-endpoint must be http://HOST:PORT or https://HOST:PORT",
		"--trace-ratio=2":                   "--trace-ratio must be from 0 to 1, not 2",
		"--cors-origins=*":                  `--cors-origins: "*": not an origin such as https://app.example.org`,
		"--cors-origins=https://a.example,https://b.example/path":          `--cors-origins: "https://b.example/path"`,
		"--service-token=" + example[1:] + " --jwt-secret=" + example[1:]:  "--service-token must differ from --jwt-secret",
		"--service-token=" + example[1:] + " --admin-token=" + example[1:]: "--service-token must differ from --admin-token",
		"--rate-limit=9999":                               "--rate-limit must be 0, or from 10000 to 10000000, not 9999",
		"--trusted-proxies=proxy.example":                 `--trusted-proxies: "proxy.example" is neither an address nor a network`,
		"--trusted-only":                                  "needs --trusted-documents",
		"--trusted-documents=/nowhere/at/all":             "--trusted-documents: open",
		"--trusted-documents=" + broken:                   `the document "a": `,
		"worker":                                          "needs a --redis-url they share",
		"import":                                          "import needs a file of records",
		"import /nowhere/at/all":                          "no such file",
		"import --directed " + broken:                     "--directed and --id-offset need --graph",
		"import --update --live " + broken:                "--update does not work with --live",
		"import --rate=5 " + broken:                       "--rate needs --live",
		"import --source-owns=x " + broken:                "--source-owns: \"x\" is not a type",
		"token":                                           "token needs --user=ID or --service=NAME",
		"token --user=1 --service=content":                "--user and --service can't be used together",
		"token --user=1 --admin --moderator":              "--admin and --moderator can't be used together",
		"token --service=content --moderator":             "--service and --moderator can't be used together",
		"token --service=é":                               "--service: the name of a service must have 1 to 128 visible ASCII characters",
		"token --service=TIDELINE_SERVICE_TOKEN":          "--service: this name belongs to the opaque service token",
		"token --user=0":                                  `"0" is not a user id`,
		"token --user=1 --ttl=0s":                         "--ttl must be at least 1s",
		"doctor --user 1 --all":                           "can't be used together",
		"doctor":                                          "there is no database",
		"export":                                          "there is no database",
		"export --database-url=sqlite:///nowhere/none.db": "there is no database",
		"health --url 127.0.0.1:8080":                     "--url must be http://HOST:PORT/readyz",
	} {
		code, stdout, stderr := run(t, strings.Fields(args)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("tideline %s: exit code %d, output %q, and on standard error\n  %s  want one line with %q", args, code, stdout, stderr, want)
		}
	}
}

func TestSettings_EnvironmentIsCheckedLikeFlags(t *testing.T) {
	t.Setenv("TIDELINE_SUBTASK_SIZE", "0")
	if code, _, stderr := run(t, "serve"); code != 2 || !strings.Contains(stderr, "--subtask-size must be from 1") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

func TestSettings_HidePasswordOfWrongURL(t *testing.T) {
	for _, args := range []string{
		"--database-url=user:hunter2@host/db",
		"--redis-url=hunter2@host",
		"migrate --database-url=postgres://user:hunter2@127.0.0.1:1/none?connect_timeout=1",
		"migrate --database-url=postgres://user:hunter2@%zz/none",
	} {
		if code, stdout, stderr := run(t, strings.Fields(args)...); code == 0 || strings.Contains(stdout+stderr, "hunter2") {
			t.Errorf("tideline %s: exit code %d, %s", args, code, stderr)
		}
	}
}

func TestServe_NamesUnreachableRedis(t *testing.T) {
	for args, want := range map[string]string{
		"--redis-url=redis://127.0.0.1:1":                   "tideline: --redis-url: ",
		"--inbox=sql --queue-redis-url=redis://127.0.0.1:1": "tideline: --queue-redis-url: ",
	} {
		code, _, stderr := run(t, append(strings.Fields(args), "--addr=127.0.0.1:0", "--demo=false", "--data-dir="+t.TempDir())...)
		if code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}

func TestServe_MakesNothingIfItCannotListen(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	for _, args := range [][]string{
		{"--addr=" + taken.Addr().String()},
		{"--addr=127.0.0.1:0", "--admin-addr=" + taken.Addr().String()},
		{"--addr=127.0.0.1:0", "--trusted-documents=/nowhere/at/all"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		code, stdout, stderr := run(t, append(args, "--data-dir="+dir)...)
		if code != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q, %q", args, code, stdout, stderr)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%v: the program created the data directory (error %v)", args, err)
		}
	}
}

func TestVersionAndHelp_PrintToStandardOutput(t *testing.T) {
	for args, want := range map[string]string{
		"version": "tideline ", "-v": "tideline ", "--version": "tideline ", "serve -v": "tideline ",
		"--help": "Usage: tideline", "-h": "Usage: tideline", "help": "Usage: tideline <command>",
		"help serve": "Usage: tideline serve", "help help": "Usage: tideline help", "help token": "Usage: tideline token",
	} {
		if code, stdout, stderr := run(t, strings.Fields(args)...); code != 0 || !strings.Contains(stdout, want) || stderr != "" {
			t.Errorf("tideline %s: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
	_, licences, _ := run(t, "version", "--licenses")
	for _, part := range []string{
		"Apache License", "\nThe Go standard library (BSD-3-Clause)\n", "\ngithub.com/jackc/pgx/v5 v", "\nreact-relay ", "\ngraphiql ",
	} {
		if !strings.Contains(licences, part) {
			t.Errorf("the notices lack %q", part)
		}
	}
	t.Setenv("TIDELINE_DATABSE_URL", "postgres://db/tideline")
	if _, _, stderr := run(t, "version"); !strings.Contains(stderr, "warning: no command reads the environment variable TIDELINE_DATABSE_URL (did you mean TIDELINE_DATABASE_URL?)") {
		t.Errorf("an unknown setting makes the warning %q", stderr)
	}
}

func TestHealth_ReportsServerState(t *testing.T) {
	for status, want := range map[int]int{http.StatusOK: 0, http.StatusServiceUnavailable: 1, http.StatusNotFound: 1, http.StatusNotModified: 1} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			if status != http.StatusNotModified {
				_, _ = w.Write([]byte(`{"path":"` + r.URL.Path + `"}` + "\n"))
			}
		}))
		code, stdout, stderr := run(t, "health", "--url", server.URL+"/readyz")
		if code != want || status != http.StatusNotModified && !strings.Contains(stdout+stderr, `{"path":"/readyz"}`) {
			t.Errorf("for the status %d the exit code is %d, want %d; it prints %q and %q", status, code, want, stdout, stderr)
		}
		server.Close()
		if code, stdout, stderr := run(t, "health", "--url", server.URL+"/readyz"); code != 1 || stdout != "" || !strings.Contains(stderr, "health: ") {
			t.Errorf("without a server the exit code is %d; it prints %q and %q", code, stdout, stderr)
		}
	}
}

// environmentOf reads variables for a command.
func environmentOf(t *testing.T, command string, variables ...string) environment {
	t.Helper()
	parser, err := kong.New(&commands{})
	check(t, err)
	i := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == command })
	return readEnvironment(variables, parser.Model, parser.Model.Children[i])
}

func TestEnvironment_NamesUnknownSettings(t *testing.T) {
	for variable, want := range map[string]string{
		"TIDELINE_PUSH_TRESHOLD=1":     "TIDELINE_PUSH_TRESHOLD (did you mean TIDELINE_PUSH_THRESHOLD?)",
		"TIDELINE_JWT_SECERT=x":        "TIDELINE_JWT_SECERT (did you mean TIDELINE_JWT_SECRET?)",
		"TIDELINE_DATABSE_URL=x":       "TIDELINE_DATABSE_URL (did you mean TIDELINE_DATABASE_URL?)",
		"TIDELINE_REDIS=x":             "TIDELINE_REDIS (did you mean TIDELINE_REDIS_URL?)",
		"TIDELINE_HEALHT_URL=x":        "TIDELINE_HEALHT_URL (did you mean TIDELINE_HEALTH_URL?)",
		"tideline_addr=x":              "tideline_addr (did you mean TIDELINE_ADDR?)",
		"TIDELINE_COLOUR_OF_THE_SEA=x": "TIDELINE_COLOUR_OF_THE_SEA",
		"TIDELINE_PORT=8080":           "TIDELINE_PORT",
	} {
		if got := environmentOf(t, "serve", variable).unknown; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
}

func TestEnvironment_IgnoresOtherVariables(t *testing.T) {
	e := environmentOf(t, "worker", "PATH=/bin", "TIDELINE_LOG_LEVEL=debug",
		"TIDELINE_API_SERVICE_HOST=10.0.0.1", "TIDELINE_API_SERVICE_PORT=8080", "TIDELINE_API_SERVICE_PORT_HTTP=8080",
		"TIDELINE_API_PORT=tcp://10.0.0.1:8080", "TIDELINE_API_PORT_8080_TCP=tcp://10.0.0.1:8080",
		"TIDELINE_API_PORT_8080_TCP_ADDR=10.0.0.1", "TIDELINE_PORT_8080_TCP_PROTO=tcp")
	if len(e.unknown)+len(e.others) > 0 {
		t.Errorf("the environment is %+v", e)
	}
}

func TestEnvironment_SeparatesSettingsOfOtherCommands(t *testing.T) {
	e := environmentOf(t, "worker", "TIDELINE_JWT_SECRET=x", "TIDELINE_HEALTH_URL=x", "TIDELINE_REDIS_URL=x")
	if want := []string{"TIDELINE_HEALTH_URL", "TIDELINE_JWT_SECRET"}; !slices.Equal(e.others, want) || len(e.unknown) > 0 {
		t.Errorf("the environment is %+v, want %q of other commands", e, want)
	}
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestShadow_RefusesSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "shadow.yaml")
	check(t, os.WriteFile(file, []byte("page: {posts: =body}\npost: {id: =post}\n"), 0o600))
	for args, want := range map[string]string{
		"--max-different=0.1":         "--max-different must be a percentage from 0% to 100%, such as 0.1%, not \"0.1\"",
		"--max-different=NaN%":        "--max-different must be a percentage",
		"--max-different=101%":        "--max-different must be a percentage",
		"--allow=deleted,nonsense":    `--allow: "nonsense" is no reason`,
		"--pages=0":                   "--pages must be from 1 to 1000, not 0",
		"--rate=0":                    "--rate must be from 0.01",
		"--old=ftp://h":               "--old must be the URL of an endpoint",
		"--old=http://ann:secret@h":   "--old must not have a user or a password",
		"--map=none.yaml":             "--map: open none.yaml",
		"--kinds=STORY":               "--kinds must be one of",
		"--data-dir=" + t.TempDir():   "shadow",
		"--viewers=v --data-dir=none": "shadow",
	} {
		var out bytes.Buffer
		code := Run(t.Context(), append([]string{"shadow", "--old=http://127.0.0.1:1", "--map=" + file}, strings.Fields(args)...), &out, &out)
		if code == 0 || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "secret") {
			t.Errorf("%s: exit code %d, %s", args, code, out.String())
		}
	}
}
