package main

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// project returns the files that are checked, as they are.
func project(t *testing.T) fstest.MapFS {
	t.Helper()
	root := os.DirFS("../..")
	files := fstest.MapFS{}
	names, err := fs.Glob(root, manifests+"/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "Dockerfile", "compose.yaml", "docs/commands.md") {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

func TestDeployment_FilesAreValid(t *testing.T) {
	findings, err := lint(project(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
}

func TestDeployment_MistakesAreFound(t *testing.T) {
	for _, c := range []struct{ file, old, damaged, want string }{
		{"Dockerfile", "FROM scratch", "FROM debian:12", "the image is built on debian:12"},
		{"Dockerfile", "USER 65532:65532\n", "", "the program runs as root"},
		{"Dockerfile", `ENTRYPOINT ["/tideline"]`, `ENTRYPOINT /tideline`, "the entry point needs a shell"},
		{"Dockerfile", `CMD ["/tideline", "health"]`, `CMD curl -f localhost`, "no health check that does without a shell"},
		{"Dockerfile", "TIDELINE_ADDR=", "TIDELINE_ADDRESS=", "TIDELINE_ADDRESS is no setting"},
		{"Dockerfile", "EXPOSE 8080", "EXPOSE 8080\nRUN true", "nothing can run in an image without a shell"},
		{"Dockerfile", "bookworm AS build", "bookworm as build", "FromAsCasing"},
		{"Dockerfile", "WORKDIR", "WORKDIRECTORY", "unknown instruction"},
		{"compose.yaml", "TIDELINE_HEALTH_URL", "TIDELINE_HEALTHURL", "TIDELINE_HEALTHURL is no setting"},
		{"compose.yaml", "  read_only: true\n", "", "may do more than the program needs"},
		{"compose.yaml", "  stop_grace_period: 40s\n", "", "killed before it has finished"},
		{"compose.yaml", "postgres: { condition: service_healthy }", "postgres: { condition: service_started }", "does not wait until postgres works"},
		{"compose.yaml", `"127.0.0.1:8080-8081:8080"`, `"8080-8081:8080"`, "from other machines without TLS"},
		{"compose.yaml", `:8080"]`, `:8082"]`, "at which no request is answered"},
		{"compose.yaml", "replicas: 2", "replicas: 1", "there are 1 processes of api"},
		{"compose.yaml", "    restart: unless-stopped\n    # A queue", "    # A queue", "redis: it has no restart policy"},
		{"compose.yaml", "limits: { cpus: \"1\", memory: 2G }", "limits: { cpus: \"1\" }", "redis: it has no limit of memory"},
		{"compose.yaml", "command: [worker]", "comand: [worker]", "comand"},
		{"deploy/kubernetes/api.yaml", "readinessProbe:", "readynessProbe:", "readynessProbe"},
		{"deploy/kubernetes/api.yaml", "path: /readyz", "path: /ready", "asks for /ready, which"},
		{"deploy/kubernetes/api.yaml", "livenessProbe:\n            httpGet: { path: /healthz", "livenessProbe:\n            httpGet: { path: /readyz", "killed because a store does not answer"},
		{"deploy/kubernetes/worker.yaml", "port: admin", "port: http", "which is no port of the container"},
		{"deploy/kubernetes/api.yaml", "containerPort: 8080", "containerPort: 80", "port 80 is called http"},
		{"deploy/kubernetes/api.yaml", "terminationGracePeriodSeconds: 45", "terminationGracePeriodSeconds: 10", "killed before they have finished"},
		{"deploy/kubernetes/api.yaml", "runAsNonRoot: true", "runAsNonRoot: false", `"restricted" refuses it`},
		{"deploy/kubernetes/api.yaml", "drop: [ALL]", "drop: [NET_RAW]", "may do more than the program needs"},
		{"deploy/kubernetes/api.yaml", "limits: { memory: 1Gi }", "limits: {}", "no limit of memory"},
		{"deploy/kubernetes/api.yaml", "name: tideline-api }\n  minReplicas: 2", "name: tideline }\n  minReplicas: 2", "there is no Deployment tideline"},
		{"deploy/kubernetes/api.yaml", "minReplicas: 2", "minReplicas: 1", "one process may always be away"},
		{"deploy/kubernetes/api.yaml", "secretRef: { name: tideline }", "secretRef: { name: tidelines }", "there is no Secret tidelines"},
		{"deploy/kubernetes/api.yaml", "automountServiceAccountToken: false", "automountServiceAccountToken: true", "a token of the cluster"},
		{"deploy/kubernetes/network.yaml", "component: api", "component: gateway", "no pod is labelled"},
		{"deploy/kubernetes/settings.yaml", "TIDELINE_ADMIN_ADDR", "TIDELINE_ADMINADDR", "TIDELINE_ADMINADDR is no setting"},
		{"deploy/kubernetes/secret.example.yaml", "TIDELINE_JWT_SECRET", "TIDELINE_JWT", "TIDELINE_JWT is no setting"},
		{"deploy/kubernetes/network.yaml", "kind: NetworkPolicy", "kind: Ingress", "is not known here"},
	} {
		t.Run(c.damaged, func(t *testing.T) {
			files := project(t)
			text := string(files[c.file].Data)
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s has no %q to damage", c.file, c.old)
			}
			files[c.file].Data = []byte(strings.Replace(text, c.old, c.damaged, 1))
			findings, err := lint(files)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range findings {
				if strings.Contains(f.String(), c.want) {
					return
				}
			}
			t.Errorf("it finds %v and not %q", findings, c.want)
		})
	}
}
