package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// issuer signs certificates; the zero issuer lets them sign themselves.
type issuer struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// writeKeys makes an authority and what it vouches for: the server, and an administrator whom RBAC lets do everything. Tokens of
// ServiceAccounts are signed with a key pair of its own.
func writeKeys(dir string) error {
	authority, err := issue(dir, "ca", issuer{}, x509.Certificate{
		Subject:               pkix.Name{CommonName: "wick test"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	})
	if err != nil {
		return err
	}
	if _, err = issue(dir, "server", authority, x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		DNSNames:    []string{"localhost", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}); err != nil {
		return err
	}
	if _, err = issue(dir, "admin", authority, x509.Certificate{
		Subject:     pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}); err != nil {
		return err
	}
	_, err = issue(dir, "service-accounts", issuer{}, x509.Certificate{Subject: pkix.Name{CommonName: "service-accounts"}})
	return err
}

// issue writes NAME.crt and NAME.key.
func issue(dir, name string, by issuer, certificate x509.Certificate) (issuer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return issuer{}, err
	}
	if certificate.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62)); err != nil {
		return issuer{}, err
	}
	certificate.NotBefore, certificate.NotAfter = time.Now().Add(-time.Hour), time.Now().AddDate(1, 0, 0)
	if by.certificate == nil {
		by = issuer{&certificate, key}
	}
	signed, err := x509.CreateCertificate(rand.Reader, &certificate, by.certificate, key.Public(), by.key)
	if err != nil {
		return issuer{}, err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return issuer{}, err
	}
	if err := writePEM(filepath.Join(dir, name+".crt"), "CERTIFICATE", signed); err != nil {
		return issuer{}, err
	}
	return issuer{&certificate, key}, writePEM(filepath.Join(dir, name+".key"), "EC PRIVATE KEY", private)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
