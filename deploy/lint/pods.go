package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// graceSeconds are what a process may take to end: a drain of ten seconds, fifteen for
// requests, ten for tasks (docs/metrics.md). Workers have no requests to drain.
const graceSeconds = 25

// lintPods checks the pods of a deployment.
func (c cluster) lintPods(pod corev1.PodSpec, known settings, r report) {
	if grace := pod.TerminationGracePeriodSeconds; grace == nil || *grace < graceSeconds {
		r.wrong("pods are killed before they have finished what they have begun")
	}
	if s := pod.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil {
		r.wrong("the pod standard \"restricted\" refuses it")
	}
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		r.wrong("it holds a token of the cluster that it has no use for")
	}
	for _, container := range pod.Containers {
		c.lintContainer(container, known, r)
	}
}

// lintContainer checks one container of the program.
func (c cluster) lintContainer(container corev1.Container, known settings, r report) {
	if s := container.SecurityContext; s == nil ||
		s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation ||
		s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem ||
		s.Capabilities == nil || !slices.Contains(s.Capabilities.Drop, "ALL") {
		r.wrong("the container may do more than the program needs")
	}
	if container.Resources.Requests.Cpu().IsZero() || container.Resources.Limits.Memory().IsZero() {
		r.wrong("the container has no share of the processors, or no limit of memory")
	}
	for _, variable := range container.Env {
		known.check(variable.Name, r)
	}
	for _, source := range container.EnvFrom {
		if source.ConfigMapRef != nil && !c.has("ConfigMap", source.ConfigMapRef.Name) {
			r.wrong("there is no ConfigMap %s", source.ConfigMapRef.Name)
		}
		if source.SecretRef != nil && !c.has("Secret", source.SecretRef.Name) {
			r.wrong("there is no Secret %s", source.SecretRef.Name)
		}
	}
	lintPorts(container, r)
	for name, probe := range map[string]*corev1.Probe{
		"startup": container.StartupProbe, "liveness": container.LivenessProbe, "readiness": container.ReadinessProbe,
	} {
		lintProbe(name, probe, container, r)
	}
}

// lintPorts checks that ports are those the program listens at.
func lintPorts(container corev1.Container, r report) {
	want := map[string]int32{"http": publicPort, "admin": adminPort}
	for _, port := range container.Ports {
		if want[port.Name] != port.ContainerPort {
			r.wrong("port %d is called %s; the program listens at %d for requests and at %d for operators",
				port.ContainerPort, port.Name, publicPort, adminPort)
		}
	}
}

// lintProbe checks that a probe asks what the program answers, and that a process is not
// killed for a store that does not answer.
func lintProbe(name string, probe *corev1.Probe, container corev1.Container, r report) {
	if probe == nil || probe.HTTPGet == nil {
		r.wrong("there is no %s probe over HTTP", name)
		return
	}
	if !isProbePath(probe.HTTPGet.Path) {
		r.wrong("the %s probe asks for %s, which the program does not answer", name, probe.HTTPGet.Path)
	}
	if name == "liveness" && probe.HTTPGet.Path != "/healthz" {
		r.wrong("a process is killed because a store does not answer")
	}
	at := probe.HTTPGet.Port
	if at.Type != intstr.String || !slices.ContainsFunc(container.Ports, func(p corev1.ContainerPort) bool { return p.Name == at.StrVal }) {
		r.wrong("the %s probe asks at %s, which is no port of the container", name, at.String())
	}
}
