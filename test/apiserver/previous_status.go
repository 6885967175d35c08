package main

import (
	"context"
	"maps"
	"os"
	"reflect"
	"strings"
	"time"

	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// lead competes for the Lease until the context ends. As in ingress-nginx, a leader that ends does not release it.
func (p *previous) lead(ctx context.Context) {
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  meta.ObjectMeta{Namespace: p.namespace, Name: p.electionID},
		Client:     p.client.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: p.pod},
	}
	for ctx.Err() == nil {
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock:          lock,
			LeaseDuration: p.electionTTL,
			RenewDeadline: p.electionTTL / 2,
			RetryPeriod:   p.electionTTL / 4,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: p.writeStatuses,
				OnStoppedLeading: func() {},
			},
		})
	}
}

// writeStatuses keeps the addresses of the Service in the status of every Ingress of the class.
func (p *previous) writeStatuses(ctx context.Context) {
	for {
		if addresses, err := p.addresses(ctx); err == nil {
			p.write(ctx, addresses)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(p.interval):
		}
	}
}

func (p *previous) write(ctx context.Context, addresses []networking.IngressLoadBalancerIngress) {
	for _, ingress := range p.ingresses() {
		api := p.client.NetworkingV1().Ingresses(ingress.Namespace)
		latest, err := api.Get(ctx, ingress.Name, meta.GetOptions{})
		if err != nil || reflect.DeepEqual(latest.Status.LoadBalancer.Ingress, addresses) {
			continue
		}
		latest.Status.LoadBalancer.Ingress = addresses
		api.UpdateStatus(ctx, latest, meta.UpdateOptions{})
	}
}

func (p *previous) addresses(ctx context.Context) ([]networking.IngressLoadBalancerIngress, error) {
	namespace, name, _ := strings.Cut(p.publishService, "/")
	service, err := p.client.CoreV1().Services(namespace).Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return nil, err
	}
	var addresses []networking.IngressLoadBalancerIngress
	for _, given := range service.Status.LoadBalancer.Ingress {
		addresses = append(addresses, networking.IngressLoadBalancerIngress{IP: given.IP, Hostname: given.Hostname})
	}
	return addresses, nil
}

// withdraw empties the statuses unless another Pod with the same labels runs, or there is more than one address. Every replica does so at its
// end, whether it leads or not.
func (p *previous) withdraw() error {
	if !p.withdraws {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	addresses, err := p.addresses(ctx)
	if err != nil || len(addresses) > 1 {
		return err
	}
	own, err := p.client.CoreV1().Pods(p.namespace).Get(ctx, os.Getenv("POD_NAME"), meta.GetOptions{})
	if err != nil {
		return err
	}
	common := maps.Clone(own.Labels)
	for _, label := range []string{"pod-template-hash", "controller-revision-hash", "pod-template-generation"} {
		delete(common, label)
	}
	pods, err := p.client.CoreV1().Pods(p.namespace).List(ctx, meta.ListOptions{LabelSelector: labels.SelectorFromSet(common).String()})
	if err != nil || len(pods.Items) > 1 {
		return err
	}
	p.write(ctx, nil)
	return nil
}
