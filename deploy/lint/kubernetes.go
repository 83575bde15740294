package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// manifests is the folder of what kubectl applies.
const manifests = "deploy/kubernetes"

// kustomization is as much of the file as is checked.
type kustomization struct {
	metav1.TypeMeta `json:",inline"`

	Namespace string           `json:"namespace"`
	Resources []string         `json:"resources"`
	Images    []map[string]any `json:"images"`
}

// object is one document of a file.
type object struct {
	file string
	metav1.TypeMeta
	metav1.ObjectMeta
	// typed is the document as its API reads it.
	typed any
}

func (o object) name() string { return o.file + ", " + o.Kind + " " + o.Name }

// newObject returns an empty object of a kind, nil for one that no file should have.
func newObject(kind metav1.TypeMeta) any {
	switch kind.APIVersion + " " + kind.Kind {
	case "v1 Namespace":
		return &corev1.Namespace{}
	case "v1 ConfigMap":
		return &corev1.ConfigMap{}
	case "v1 Secret":
		return &corev1.Secret{}
	case "v1 Service":
		return &corev1.Service{}
	case "apps/v1 Deployment":
		return &appsv1.Deployment{}
	case "policy/v1 PodDisruptionBudget":
		return &policyv1.PodDisruptionBudget{}
	case "autoscaling/v2 HorizontalPodAutoscaler":
		return &autoscalingv2.HorizontalPodAutoscaler{}
	case "networking.k8s.io/v1 NetworkPolicy":
		return &networkingv1.NetworkPolicy{}
	default:
		return nil
	}
}

// lintKubernetes reads every manifest strictly, an unknown field being an error, and
// checks that they fit together.
func lintKubernetes(project fs.FS, known settings, findings *[]finding) error {
	text, err := fs.ReadFile(project, path.Join(manifests, "kustomization.yaml"))
	if err != nil {
		return err
	}
	var k kustomization
	if err := yaml.UnmarshalStrict(text, &k); err != nil {
		return fmt.Errorf("kustomization.yaml: %w", err)
	}
	var c cluster
	for _, file := range append(k.Resources, "secret.example.yaml") {
		objects, err := readObjects(project, file)
		if err != nil {
			(report{file, findings}).wrong("%v", err)
			continue
		}
		c.objects = append(c.objects, objects...)
	}
	c.lint(known, findings)
	return nil
}

// readObjects reads the documents of a file.
func readObjects(project fs.FS, file string) ([]object, error) {
	text, err := fs.ReadFile(project, path.Join(manifests, file))
	if err != nil {
		return nil, err
	}
	var objects []object
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		o, err := readObject(file, document)
		if err != nil {
			return nil, err
		}
		objects = append(objects, o)
	}
}

func readObject(file string, document []byte) (object, error) {
	head := struct {
		metav1.TypeMeta `json:",inline"`

		Metadata metav1.ObjectMeta `json:"metadata"`
	}{}
	if err := yaml.Unmarshal(document, &head); err != nil {
		return object{}, err
	}
	typed := newObject(head.TypeMeta)
	if typed == nil {
		return object{}, fmt.Errorf("%s %s is not known here", head.APIVersion, head.Kind)
	}
	if err := yaml.UnmarshalStrict(document, typed); err != nil {
		return object{}, fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
	}
	return object{file, head.TypeMeta, head.Metadata, typed}, nil
}

// cluster is what there would be once everything is applied.
type cluster struct {
	objects []object
}

// has says whether there is an object of a kind and a name.
func (c cluster) has(kind, name string) bool {
	for _, o := range c.objects {
		if o.Kind == kind && o.Name == name {
			return true
		}
	}
	return false
}

// selects says whether a selector finds the pods of any deployment.
func (c cluster) selects(selector labels.Selector) bool {
	for _, o := range c.objects {
		if d, ok := o.typed.(*appsv1.Deployment); ok && selector.Matches(labels.Set(d.Spec.Template.Labels)) {
			return true
		}
	}
	return false
}

// lint checks each object against the others.
func (c cluster) lint(known settings, findings *[]finding) {
	for _, o := range c.objects {
		r := report{o.name(), findings}
		switch typed := o.typed.(type) {
		case *corev1.ConfigMap:
			for name := range typed.Data {
				known.check(name, r)
			}
		case *corev1.Secret:
			for name := range typed.StringData {
				known.check(name, r)
			}
		case *corev1.Service:
			c.lintSelector(&metav1.LabelSelector{MatchLabels: typed.Spec.Selector}, r)
		case *policyv1.PodDisruptionBudget:
			c.lintSelector(typed.Spec.Selector, r)
		case *networkingv1.NetworkPolicy:
			c.lintSelector(&typed.Spec.PodSelector, r)
		case *autoscalingv2.HorizontalPodAutoscaler:
			if target := typed.Spec.ScaleTargetRef; !c.has(target.Kind, target.Name) {
				r.wrong("there is no %s %s", target.Kind, target.Name)
			}
			if typed.Spec.MinReplicas == nil || *typed.Spec.MinReplicas < 2 {
				r.wrong("one process may always be away")
			}
		case *appsv1.Deployment:
			c.lintSelector(typed.Spec.Selector, r)
			c.lintPods(typed.Spec.Template.Spec, known, r)
		}
	}
}

// lintSelector reports a selector that finds no pods.
func (c cluster) lintSelector(s *metav1.LabelSelector, r report) {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		r.wrong("%v", err)
	} else if !c.selects(selector) {
		r.wrong("no pod is labelled %s", selector)
	}
}
