// A Kubernetes API server with RBAC, an etcd and a few of Kubernetes' own controllers for the tests: processes from one program, so that each can
// be killed, frozen and started again by itself. Nothing else of a cluster runs, and without the controllers nobody writes EndpointSlices, collects
// garbage or empties deleted namespaces.
//
//	apiserver keys DIR                    certificates and keys, in DIR
//	apiserver etcd DIR                    etcd on a socket in DIR; its data survive
//	apiserver serve DIR PORT [FLAG...]    kube-apiserver on 127.0.0.1:PORT over that etcd; more of its own flags may follow
//	apiserver controllers DIR PORT        Deployments → ReplicaSets → Pods, EndpointSlices, ServiceAccounts, and what cleans up
//	apiserver ingress-nginx FLAG...       in a Pod: what one of ingress-nginx does there (previous.go)
//	apiserver compact DIR                 forgets every revision of etcd but the current one
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 && args[0] == "ingress-nginx" {
		return runPrevious(args[1:])
	}
	if len(args) < 2 {
		return fmt.Errorf("expected a command and a folder: keys, etcd, serve, controllers or compact DIR")
	}
	dir, err := filepath.Abs(args[1])
	if err != nil {
		return err
	}
	switch command, rest := args[0], args[2:]; {
	case command == "keys":
		return writeKeys(dir)
	case command == "etcd":
		return serveEtcd(dir)
	case command == "compact":
		return compactEtcd(dir)
	case command == "serve" && len(rest) > 0:
		return serveAPI(dir, rest[0], rest[1:])
	case command == "controllers" && len(rest) == 1:
		return runControllers(dir, rest[0])
	}
	return fmt.Errorf("cannot run %q", args)
}
