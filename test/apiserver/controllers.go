package main

import (
	"context"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/serviceaccount"
)

const (
	workers = 2
	// discoveryPeriod is how long the garbage collector takes at most to see a kind that is new, as a CustomResourceDefinition brings it.
	discoveryPeriod = 5 * time.Second
)

// runControllers runs those of kube-controller-manager that a rollout needs, and those that clean up after what was deleted, until SIGTERM or
// SIGINT.
func runControllers(dir, port string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	config := adminConfig(dir, port)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	anyKind, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	shared := informers.NewSharedInformerFactory(client, 0)
	if err := startRollouts(ctx, client, shared); err != nil {
		return err
	}
	if err := startCleaning(ctx, client, anyKind, shared); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// startRollouts runs Deployments → ReplicaSets → Pods, the EndpointSlices of Services, and the ServiceAccount that every namespace has.
func startRollouts(ctx context.Context, client kubernetes.Interface, shared informers.SharedInformerFactory) error {
	core, apps := shared.Core().V1(), shared.Apps().V1()
	pods := core.Pods()
	deployments, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), pods, client)
	if err != nil {
		return err
	}
	accounts, err := serviceaccount.NewServiceAccountsController(klog.FromContext(ctx), core.ServiceAccounts(), core.Namespaces(), client,
		serviceaccount.DefaultServiceAccountsControllerOptions())
	if err != nil {
		return err
	}
	replicaSets := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), pods, client, replicaset.BurstReplicas)
	slices := endpointslice.NewController(ctx, pods, core.Services(), core.Nodes(), shared.Discovery().V1().EndpointSlices(), 100, client, 0)
	for _, run := range []func(context.Context, int){deployments.Run, accounts.Run, replicaSets.Run, slices.Run} {
		go run(ctx, workers)
	}
	return nil
}

// startCleaning runs what deletes the objects of a deleted namespace and those whose owner is gone, of every kind. It starts the informers: the
// garbage collector wants them started once it has its own.
func startCleaning(ctx context.Context, client *kubernetes.Clientset, anyKind metadata.Interface, shared informers.SharedInformerFactory) error {
	cached := memory.NewMemCacheClient(client.Discovery())
	started := make(chan struct{})
	every := informerfactory.NewInformerFactory(shared, metadatainformer.NewSharedInformerFactory(anyKind, 0))
	garbage, err := garbagecollector.NewGarbageCollector(ctx, client, anyKind, restmapper.NewDeferredDiscoveryRESTMapper(cached),
		garbagecollector.DefaultIgnoredResources(), every, started)
	if err != nil {
		return err
	}
	namespaces := namespace.NewNamespaceController(ctx, client, anyKind, client.Discovery().ServerPreferredNamespacedResources,
		shared.Core().V1().Namespaces(), time.Minute, corev1.FinalizerKubernetes)
	every.Start(ctx.Done())
	close(started)
	go garbage.Sync(ctx, client.Discovery(), discoveryPeriod)
	go garbage.Run(ctx, workers, time.Minute)
	go namespaces.Run(ctx, workers)
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
