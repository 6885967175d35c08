// In what routes do not quite do what Ingresses do. What a remark says of an Ingress has one of these names, so that answers can be held against it.

export const changes = {
  elements: "a prefix has whole elements of a path",
  labels: "a wildcard stands for any number of labels",
  unmatched: "what no path of a host matches goes on to a route of more hosts",
  root: "what no path of a host matches has no redirect, no checks and no headers",
  sessions: "sessions begin where there is one backend",
  balancing: "each route has its own annotations about a Service",
  origins: "headers of CORS are there for requests with an Origin",
  redirects: "the redirect to HTTPS has no headers of its own",
  backends: "TLS to backends is said of Services, and verified",
  patterns: "which regular expressions there are is up to the implementation",
  hosts: "a host has routes of HTTP or of gRPC",
  passthrough: "a host that is passed through is served by TLS alone",
} as const

export type Change = keyof typeof changes
