package main

import (
	"context"
	"io/fs"
	"slices"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// composeVariables returns test values for the variables that the operator must set.
func composeVariables() types.Mapping {
	return types.Mapping{
		"TIDELINE_JWT_SECRET":  "secret",
		"TIDELINE_ADMIN_TOKEN": "token",
		"POSTGRES_PASSWORD":    "password",
	}
}

// lintCompose checks the small site: the schema of compose files, and that the program is
// started as it can be.
func lintCompose(project fs.FS, known settings, findings *[]finding) error {
	text, err := fs.ReadFile(project, "compose.yaml")
	if err != nil {
		return err
	}
	r := report{"compose.yaml", findings}
	site, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		// Nothing is read but the text, so any absolute folder will do.
		WorkingDir:  "/",
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: text}},
		Environment: composeVariables(),
	}, func(o *loader.Options) { o.SetProjectName("tideline", true) })
	if err != nil {
		r.wrong("%v", err)
		return nil
	}
	roles := map[string]int{}
	for _, name := range site.ServiceNames() {
		service := site.Services[name]
		lintService(service, r.at(name))
		if service.Build != nil {
			lintProcess(service, known, r.at(name))
			roles[name] = service.GetScale()
		}
	}
	for _, role := range []string{"api", "worker"} {
		if roles[role] < 2 {
			r.wrong("there are %d processes of %s; one may always be away", roles[role], role)
		}
	}
	return nil
}

// lintService checks what holds for every container.
func lintService(s types.ServiceConfig, r report) {
	if s.Restart == "" {
		r.wrong("it has no restart policy")
	}
	if s.Deploy == nil || s.Deploy.Resources.Limits == nil || s.Deploy.Resources.Limits.MemoryBytes == 0 {
		r.wrong("it has no limit of memory")
	}
	if s.Build == nil && s.HealthCheck == nil {
		r.wrong("it has no health check")
	}
}

// lintProcess checks a container of the program.
func lintProcess(s types.ServiceConfig, known settings, r report) {
	for name := range s.Environment {
		known.check(name, r)
	}
	if !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") {
		r.wrong("it may do more than the program needs")
	}
	if s.StopGracePeriod == nil {
		r.wrong("it is killed before it has finished what it has begun")
	}
	for name, dependency := range s.DependsOn {
		if dependency.Condition != types.ServiceConditionHealthy {
			r.wrong("it does not wait until %s works", name)
		}
	}
	for _, port := range s.Ports {
		if port.Target != publicPort {
			r.wrong("port %d is shown, at which no request is answered", port.Target)
		}
		if port.HostIP != "127.0.0.1" {
			r.wrong("it can be reached from other machines without TLS")
		}
	}
}
