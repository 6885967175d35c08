package main

import (
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"sigs.k8s.io/yaml"
)

// job is one `helm template`.
type job struct {
	Release     string `json:"release"`
	Namespace   string `json:"namespace"`
	KubeVersion string `json:"kubeVersion"` // v1.35.0; empty: that of Helm
	Values      string `json:"values"`      // YAML or JSON
}

// rendering is what became of a job.
type rendering struct {
	Objects []object `json:"objects"`
	Notes   string   `json:"notes"`
	Error   string   `json:"error"` // of the values or of a template; empty when all went well
}

// object is one document, with the template that it is from.
type object struct {
	Template string         `json:"template"`
	Object   map[string]any `json:"object"`
}

var separator = regexp.MustCompile(`(?m)^---.*$`)

// renderAll reads the chart once for all jobs, which share the processors. Rendering changes nothing of it.
func renderAll(path string, jobs []job) ([]rendering, error) {
	read, err := loader.Load(path)
	if err != nil {
		return nil, err
	}
	renderings := make([]rendering, len(jobs))
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for i, one := range jobs {
		group.Go(func() error {
			var err error
			if renderings[i], err = render(read, one); err != nil {
				renderings[i] = rendering{Error: err.Error()}
			}
			return nil
		})
	}
	return renderings, group.Wait()
}

func render(read *chart.Chart, one job) (rendering, error) {
	values, err := chartutil.ReadValues([]byte(one.Values))
	if err != nil {
		return rendering{}, err
	}
	capabilities := *chartutil.DefaultCapabilities
	if one.KubeVersion != "" {
		version, err := chartutil.ParseKubeVersion(one.KubeVersion)
		if err != nil {
			return rendering{}, err
		}
		capabilities.KubeVersion = *version
	}
	options := chartutil.ReleaseOptions{Name: one.Release, Namespace: one.Namespace, Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(read, values, options, &capabilities)
	if err != nil {
		return rendering{}, err
	}
	files, err := engine.Render(read, all)
	if err != nil {
		return rendering{}, err
	}
	return parse(files)
}

// parse is stricter than Helm: a key that stands twice is an error.
func parse(files map[string]string) (rendering, error) {
	result := rendering{Objects: []object{}}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if path.Base(name) == "NOTES.txt" {
			result.Notes = files[name]
			continue
		}
		for _, text := range separator.Split(files[name], -1) {
			var read map[string]any
			if err := yaml.UnmarshalStrict([]byte(text), &read); err != nil {
				return rendering{}, &unreadable{name, err, text}
			}
			if read != nil {
				result.Objects = append(result.Objects, object{strings.SplitN(name, "/templates/", 2)[1], read})
			}
		}
	}
	return result, nil
}

// unreadable is what a template printed that is no YAML.
type unreadable struct {
	template string
	cause    error
	text     string
}

func (u *unreadable) Error() string {
	return u.template + ": " + u.cause.Error() + "\n" + u.text
}
