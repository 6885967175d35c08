package main

import (
	"context"
	"os/signal"
	"path/filepath"
	"syscall"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
	"k8s.io/kubernetes/pkg/controller/replicaset"
)

const workers = 2

// runControllers runs those of kube-controller-manager that a rollout needs, until SIGTERM or SIGINT.
func runControllers(dir, port string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	client, err := kubernetes.NewForConfig(adminConfig(dir, port))
	if err != nil {
		return err
	}
	shared := informers.NewSharedInformerFactory(client, 0)
	pods, apps := shared.Core().V1().Pods(), shared.Apps().V1()

	deployments, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), pods, client)
	if err != nil {
		return err
	}
	replicaSets := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), pods, client, replicaset.BurstReplicas)
	slices := endpointslice.NewController(ctx, pods, shared.Core().V1().Services(), shared.Core().V1().Nodes(),
		shared.Discovery().V1().EndpointSlices(), 100, client, 0)

	go deployments.Run(ctx, workers)
	go replicaSets.Run(ctx, workers)
	go slices.Run(ctx, workers)
	shared.Start(ctx.Done())
	<-ctx.Done()
	return nil
}

func adminConfig(dir, port string) *rest.Config {
	in := func(name string) string { return filepath.Join(dir, name) }
	return &rest.Config{
		Host:            "https://127.0.0.1:" + port,
		TLSClientConfig: rest.TLSClientConfig{CAFile: in("ca.crt"), CertFile: in("admin.crt"), KeyFile: in("admin.key")},
		QPS:             1000,
		Burst:           1000,
	}
}
