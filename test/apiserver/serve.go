package main

import (
	"path/filepath"

	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// serveAPI runs kube-apiserver until a signal ends it. It keeps nothing: all of its state is in etcd and in the keys.
func serveAPI(dir, port string, more []string) error {
	in := func(name string) string { return filepath.Join(dir, name) }
	command := app.NewAPIServerCommand()
	command.SetArgs(append([]string{
		"--etcd-servers=" + etcdURL(dir).String(),
		"--bind-address=127.0.0.1",
		"--secure-port=" + port,
		// It refuses to advertise a loopback address, and would write what it advertises into the Endpoints of its own Service.
		"--advertise-address=192.0.2.1",
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.96.0.0/16",
		"--client-ca-file=" + in("ca.crt"),
		"--tls-cert-file=" + in("server.crt"),
		"--tls-private-key-file=" + in("server.key"),
		"--anonymous-auth=false",
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + in("service-accounts.crt"),
		"--service-account-signing-key-file=" + in("service-accounts.key"),
		// It refuses Pods of a namespace whose ServiceAccount "default" nobody has made yet.
		"--disable-admission-plugins=ServiceAccount",
		// What etcd forgets and when is up to the tests.
		"--etcd-compaction-interval=0",
	}, more...))
	return command.Execute()
}
