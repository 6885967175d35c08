package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	discovery "k8s.io/api/discovery/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
)

const previousDir = "/run/ingress-nginx"

const previousHead = `daemon off;
pid nginx.pid;
error_log stderr;
worker_processes 2;
worker_shutdown_timeout 240s;
events {}
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  proxy_http_version 1.1;
  proxy_set_header Host $host;
  server { listen 80 default_server reuseport; return 404; }
`

// serve starts nginx with the Ingresses that there are, and has it follow them. It is ready when this returns.
func (p *previous) serve(ctx context.Context) error {
	if err := os.MkdirAll(previousDir, 0o755); err != nil {
		return err
	}
	changed := make(chan struct{}, 1)
	note := func(any) {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	handler := cache.ResourceEventHandlerFuncs{AddFunc: note, UpdateFunc: func(_, o any) { note(o) }, DeleteFunc: note}
	p.shared.Networking().V1().Ingresses().Informer().AddEventHandler(handler)
	p.shared.Networking().V1().IngressClasses().Informer().AddEventHandler(handler)
	p.shared.Discovery().V1().EndpointSlices().Informer().AddEventHandler(handler)
	p.shared.Start(ctx.Done())
	p.shared.WaitForCacheSync(ctx.Done())

	file := filepath.Join(previousDir, "nginx.conf")
	conf := p.conf()
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		return err
	}
	p.nginx = exec.Command(os.Getenv("NGINX"), "-p", previousDir, "-c", file)
	p.nginx.Stderr = os.Stderr
	if err := p.nginx.Start(); err != nil {
		return err
	}
	go p.follow(ctx, changed, file, conf)
	return nil
}

func (p *previous) follow(ctx context.Context, changed <-chan struct{}, file, inForce string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		if conf := p.conf(); conf != inForce {
			inForce = conf
			os.WriteFile(file, []byte(conf), 0o644)
			p.nginx.Process.Signal(syscall.SIGHUP)
			time.Sleep(time.Second)
		}
	}
}

// ingresses lists those of the class.
func (p *previous) ingresses() []*networking.Ingress {
	all, _ := p.shared.Networking().V1().Ingresses().Lister().List(labels.Everything())
	var ours []*networking.Ingress
	for _, ingress := range all {
		if ingress.Spec.IngressClassName == nil {
			continue
		}
		class, err := p.shared.Networking().V1().IngressClasses().Lister().Get(*ingress.Spec.IngressClassName)
		if err == nil && class.Spec.Controller == p.controller {
			ours = append(ours, ingress)
		}
	}
	return ours
}

func (p *previous) conf() string {
	var b strings.Builder
	b.WriteString(previousHead)
	for _, ingress := range p.ingresses() {
		for _, rule := range ingress.Spec.Rules {
			fmt.Fprintf(&b, "  server {\n    listen 80;\n    server_name %s;\n    add_header x-served-by ingress-nginx;\n", rule.Host)
			for _, path := range rule.HTTP.Paths {
				if address := p.endpoint(ingress.Namespace, path.Backend.Service.Name); address != "" {
					fmt.Fprintf(&b, "    location %s { proxy_pass http://%s; }\n", path.Path, address)
				}
			}
			b.WriteString("  }\n")
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// endpoint is one of the Service, "" if it has none.
func (p *previous) endpoint(namespace, service string) string {
	of := labels.SelectorFromSet(labels.Set{discovery.LabelServiceName: service})
	slices, _ := p.shared.Discovery().V1().EndpointSlices().Lister().EndpointSlices(namespace).List(of)
	for _, slice := range slices {
		for _, endpoint := range slice.Endpoints {
			return fmt.Sprintf("%s:%d", endpoint.Addresses[0], *slice.Ports[0].Port)
		}
	}
	return ""
}
