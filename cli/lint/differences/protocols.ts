import { type Differences, everyRequest } from "./difference.ts"
import { both, isProtocol, key, says, uses } from "./matching.ts"

/** Differences under the heading "gRPC and FastCGI". */
export const protocolsDifferences = {
  "fastcgi-params-namespace": {
    what: "`fastcgi-params-configmap` names a namespace",
    before: "A ConfigMap of another namespace is dropped, or looked for in the Ingress's own",
    now: "An Ingress that names another namespace is denied. With `allow-cross-namespace-resources` the ConfigMap is read",
    concerns: says("fastcgi", "params", (reference) => reference.includes("/")),
  },
  "fastcgi-proxy-header": {
    what: "FastCGI: the client sends a `Proxy` header",
    before: "Arrives as `HTTP_PROXY`",
    now: "Removed",
    why: 'The backend would use it as its own proxy ("httpoxy")',
    concerns: everyRequest,
  },
  "fastcgi-forwarded": {
    what: "The backend speaks FastCGI, and is told who the client is (`X-Forwarded-*`, `X-Real-IP`, `X-Scheme`, `X-Request-ID`)",
    before: "The backend gets what the client says of itself",
    now: "The backend gets what HTTP backends are told",
    why: "A client must not say who it is",
    concerns: isProtocol("fastcgi"),
  },
  "grpc-upgrade-headers": {
    what: "gRPC: `Connection` and `Upgrade` headers",
    before: "Sent to the backend if the client sent them",
    now: "Never sent",
    why: "HTTP/2 forbids them",
    concerns: everyRequest,
  },
  "grpc-fastcgi-retries": {
    what: "The backend speaks gRPC or FastCGI, and the Ingress has `proxy-next-upstream*` or annotations of buffers",
    before: "These annotations have no effect",
    now: "These annotations have the same effect as for HTTP, as far as nginx supports it",
    concerns: both(
      isProtocol("grpc", "grpcs", "fastcgi"),
      uses(
        "proxy-next-upstream",
        "proxy-next-upstream-tries",
        "proxy-next-upstream-timeout",
        "proxy-buffer-size",
        "proxy-buffers-number",
        "proxy-buffering",
        "proxy-busy-buffers-size",
      ),
    ),
  },
  "fastcgi-timeouts": {
    what: "The backend speaks FastCGI, and the ConfigMap has `proxy-connect-timeout` or similar keys",
    before: "These keys have no effect",
    now: "These keys have the same effect as for HTTP. Conditions that FastCGI does not know are left out",
    why: "As for the annotations",
    concerns: both(
      isProtocol("fastcgi"),
      key(
        "proxy-connect-timeout",
        "proxy-send-timeout",
        "proxy-read-timeout",
        "proxy-next-upstream",
        "proxy-next-upstream-tries",
        "proxy-next-upstream-timeout",
      ),
    ),
  },
} satisfies Differences
