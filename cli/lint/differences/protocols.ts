import { type Differences, everyRequest } from "./difference.ts"
import { both, isProtocol, key, says, uses } from "./matching.ts"

/** Differences under the heading "gRPC and FastCGI". */
export const protocolsDifferences = {
  "fastcgi-params-namespace": {
    what: "`fastcgi-params-configmap` in another namespace",
    before: "Dropped, or read from the Ingress's own namespace",
    now: "Denied. With `allow-cross-namespace-resources` it is read from the namespace that it names",
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
    what: "FastCGI: `X-Forwarded-*`, `X-Real-IP`, `X-Scheme` and `X-Request-ID`",
    before: "What the client says",
    now: "What HTTP backends are told",
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
    what: "gRPC and FastCGI: `proxy-next-upstream*` and buffer annotations",
    before: "No effect",
    now: "Same effect as for HTTP, as far as nginx supports it",
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
    what: "FastCGI: `proxy-connect-timeout` and similar keys of the ConfigMap",
    before: "No effect",
    now: "Same effect as for HTTP. Conditions that FastCGI does not know are left out",
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
