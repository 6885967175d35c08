package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// previous is a Pod of ingress-nginx, as far as those who move away from it can tell: a plain nginx that serves the Ingresses of a class, a Lease
// and a status by the same rules, and the same end. Of annotations it knows none.
type previous struct {
	client   kubernetes.Interface
	shared   informers.SharedInformerFactory
	nginx    *exec.Cmd
	stopping atomic.Bool

	namespace, pod                     string
	electionID, publishService, class  string
	controller, configMap              string
	electionTTL, interval              time.Duration
	shutdownSeconds, afterwardsSeconds int
	withdraws                          bool
}

// runPrevious takes ingress-nginx's flags, and serves until SIGTERM. NGINX names the program.
func runPrevious(args []string) error {
	p := &previous{namespace: os.Getenv("POD_NAMESPACE"), pod: os.Getenv("POD_NAME")}
	if err := p.parse(args); err != nil {
		return err
	}
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	if p.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	p.shared = informers.NewSharedInformerFactory(p.client, 0)
	working, rest := context.WithCancel(context.Background())
	if err := p.serve(working); err != nil {
		return err
	}
	go p.lead(working)
	go http.ListenAndServe(":10254", http.HandlerFunc(p.health))

	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	<-asked
	return p.end(rest)
}

func (p *previous) parse(args []string) error {
	flags := flag.NewFlagSet("ingress-nginx", flag.ContinueOnError)
	flags.StringVar(&p.electionID, "election-id", "ingress-controller-leader", "")
	flags.StringVar(&p.publishService, "publish-service", "", "")
	flags.StringVar(&p.class, "ingress-class", "nginx", "")
	flags.StringVar(&p.controller, "controller-class", "k8s.io/ingress-nginx", "")
	flags.StringVar(&p.configMap, "configmap", "", "")
	flags.DurationVar(&p.electionTTL, "election-ttl", 30*time.Second, "")
	seconds := flags.Int("status-update-interval", 60, "")
	flags.IntVar(&p.shutdownSeconds, "shutdown-grace-period", 0, "")
	flags.IntVar(&p.afterwardsSeconds, "post-shutdown-grace-period", 10, "")
	flags.BoolVar(&p.withdraws, "update-status-on-shutdown", true, "")
	err := flags.Parse(args)
	p.interval = time.Duration(*seconds) * time.Second
	return err
}

func (p *previous) health(w http.ResponseWriter, _ *http.Request) {
	if p.stopping.Load() {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	io.WriteString(w, "ok")
}

// end is in ingress-nginx's order: health, a pause, the status, nginx, another pause.
func (p *previous) end(rest func()) error {
	p.stopping.Store(true)
	time.Sleep(time.Duration(p.shutdownSeconds) * time.Second)
	rest()
	if err := p.withdraw(); err != nil {
		fmt.Fprintln(os.Stderr, "Cannot empty the status:", err)
	}
	if err := p.nginx.Process.Signal(syscall.SIGQUIT); err != nil {
		return err
	}
	if err := p.nginx.Wait(); err != nil {
		return err
	}
	time.Sleep(time.Duration(p.afterwardsSeconds) * time.Second)
	return nil
}
