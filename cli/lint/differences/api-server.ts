import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "API server and rights". */
export const apiServerDifferences = {
  "kubernetes-1-19-1-20": {
    what: "Kubernetes 1.19 and 1.20",
    before: "Supported",
    now: "wick does not start, and says why",
    why: "EndpointSlices are read as discovery.k8s.io/v1",
    concerns: operation,
  },
  "certificate-authority-cannot-be-read": {
    what: "`--certificate-authority` that cannot be read",
    before: "A log line; other CAs are trusted",
    now: "wick does not start, and says why",
    why: "A requested check must not be skipped",
    concerns: operation,
  },
  "certificate-authority-kubeconfig-apiserver-host": {
    what: "`--certificate-authority` with `--kubeconfig` and `--apiserver-host`",
    before: "Replaces the client certificate too",
    now: "Replaces only the CA",
    why: "The flag is about the server's identity",
    concerns: operation,
  },
  "change-could-not-be-carried-out": {
    what: "A change that could not be carried out is tried again",
    before: "After 5 ms, doubling up to 1000 s",
    now: "After 5 ms, doubling up to 30 s",
    why: "What it failed for may be over long before",
    concerns: operation,
  },
  "ten-attempts-reach-api-server-at": {
    what: "Ten attempts to reach the API server at the start",
    before: "Pauses grow to 26 s; 75 s in all",
    now: "Pauses grow to 10 s; 51 s in all. The checks that follow are retried as well",
    why: "Otherwise a liveness probe would end the start",
    concerns: operation,
  },
  "https-proxy-no-proxy-api-server": {
    what: "`HTTPS_PROXY` and `NO_PROXY` for the API server",
    before: "Used",
    now: "Not used. The `proxy-url` of a kubeconfig is",
    why: "The cluster's own API server is not behind a proxy",
    concerns: operation,
  },
  "no-right-read-own-pod": {
    what: "No right to read the own Pod",
    before: "Does not start",
    now: "A warning, if no status is to be written",
    why: "Nothing else needs the Pod",
    concerns: operation,
  },
  "watch-namespace-no-right-read-namespace": {
    what: "`--watch-namespace`: no right to read that Namespace",
    before: "Does not start",
    now: "A warning",
    why: "A Role for the objects in a namespace need not include the Namespace itself",
    concerns: operation,
  },
  "no-right-list-kind-api-server": {
    what: "No right to list a kind, or the API server does not answer the first lists",
    before: "The process ends after a while",
    now: "Retries. Nothing is served, `/healthz` fails, and the log says why",
    why: "An nginx that is already running goes on",
    concerns: operation,
  },
  "no-right-list-nodes-pods": {
    what: "No right to list Nodes or Pods",
    before: "The process ends after a while",
    now: "Everything is served",
    why: "They are needed only for zones and for a status made of node addresses",
    concerns: operation,
  },
  "secrets-configmaps-no-ingress-flag-names": {
    what: "Secrets and ConfigMaps that no Ingress or flag names",
    before: "Everything that may be listed is read and kept",
    now: "Only metadata is watched. What is named is read when it changes ([decision 0015](decisions/0015-only-named-secrets-are-read.md))",
    why: "No process should hold passwords that it does not need",
    concerns: operation,
  },
} satisfies Differences
