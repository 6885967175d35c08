package main

import (
	"context"
	"net/url"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
)

// etcdURL is a socket in the folder: no port is taken, and nobody else can reach it.
func etcdURL(dir string) *url.URL {
	return &url.URL{Scheme: "unix", Path: filepath.Join(dir, "etcd.sock")}
}

// serveEtcd runs a single member until SIGTERM or SIGINT.
func serveEtcd(dir string) error {
	clients, peers := *etcdURL(dir), url.URL{Scheme: "unix", Path: filepath.Join(dir, "peer.sock")}
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.LogLevel = "error"
	config.UnsafeNoFsync = true // The data have to survive the process, not the machine.
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{clients}, []url.URL{clients}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peers}, []url.URL{peers}
	config.InitialCluster = config.InitialClusterFromName(config.Name)

	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	defer etcd.Close()
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	select {
	case err := <-etcd.Err():
		return err
	case <-stop.Done():
		return nil
	}
}

// compactEtcd makes every revision before the current one unavailable, as the compaction that kube-apiserver asks for every few minutes does.
func compactEtcd(dir string) error {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{etcdURL(dir).String()}, DialTimeout: 5 * time.Second})
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	now, err := client.Get(ctx, "any")
	if err != nil {
		return err
	}
	_, err = client.Compact(ctx, now.Header.Revision, clientv3.WithCompactPhysical())
	return err
}
