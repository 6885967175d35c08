import { type Differences, everyRequest, operation } from "./difference.ts"
import { refusedFor } from "./matching.ts"

/** Differences under the heading "Reloads and the control API". */
export const controlDifferences = {
  "new-host-new-path-changed-timeout": {
    what: "New host, new path, changed timeout or body size",
    before: "Reload",
    now: "One POST, no reload",
    why: "Routes are data ([decision 0002](decisions/0002-routes-are-data.md))",
    concerns: operation,
  },
  "sync-rate-limit": {
    what: "`--sync-rate-limit`",
    before: "Delays every change",
    now: "Delays reloads only",
    why: "A post is cheap",
    concerns: operation,
  },
  "reloads-of-one-namespace": {
    what: "Ingresses of one namespace that need a reload each, one after the other",
    before: "As many reloads as `--sync-rate-limit` allows",
    now: "Two at once, then one of twenty-five that the flag allows, for each namespace; a reload for others takes them along. Posts do not wait. What waits has the Problem `reload-waits`, and an Event",
    why: "Each reload leaves workers behind that serve what they have begun; one tenant must not fill the memory of all",
    concerns: operation,
  },
  "workers-that-shut-down": {
    what: "Workers of earlier configurations that serve what they have begun",
    before: "Any number, each as long as `worker-shutdown-timeout` says",
    now: "Of four earlier configurations (`max-worker-generations`); those of the oldest end at once",
    why: "Memory is bounded",
    concerns: operation,
  },
  "requests-in-circles": {
    what: "A request that comes back to where it was passed on",
    before: "Goes in circles until something times out",
    now: "508 when it was passed on five times (`max-request-passes`). Backends get `CDN-Loop` (RFC 8586)",
    why: "An endpoint, service or mirror that leads back multiplies requests",
    concerns: everyRequest,
  },
  "one-ingress-makes-nginx-refuse-configuration": {
    what: "One Ingress makes nginx refuse the configuration",
    before: "No Ingress can be changed until that one is fixed",
    now: "The paths of that Ingress are denied. All other changes take effect",
    why: "One tenant must not hold back the others",
    concerns: operation,
  },
  "annotation-variable-unknown": {
    what: "An annotation uses a variable that nginx does not have",
    before: "nginx refuses the whole configuration",
    now: "The value is ignored, with a Problem that names the closest variable. In FastCGI parameters it denies the Ingress",
    why: "One mistake must not stop everybody else",
    concerns: refusedFor(/variable/),
    breadth: "any",
  },
  "nginx-ingress-controller-errors": {
    what: "`nginx_ingress_controller_errors`",
    before: "Missing until the first failure",
    now: "0 from the start",
    why: "`rate()` needs a first value",
    concerns: operation,
  },
  "where-configuration-posted": {
    what: "Where configuration is posted",
    before: "HTTP on 127.0.0.1:10246, open to every process in the pod",
    now: "A unix socket in a folder that only the controller's user can enter",
    why: "An endpoint that resolves to loopback must not reach it",
    concerns: operation,
  },
  "post-configuration-backends": {
    what: "`POST /configuration/backends`",
    before: "Up to 21 MB",
    now: "Up to 1 MiB. Larger states are sent in parts through `/configuration/changes`",
    why: "A worker that parses 20 MB serves nobody meanwhile",
    concerns: operation,
  },
  "get-configuration-certs-hostname": {
    what: "`GET /configuration/certs?hostname=`",
    before: "Certificate and private key",
    now: "The chain that a handshake gets, without the key. A name also finds the wildcard's or the default certificate",
    why: "Keys are never shown",
    concerns: operation,
  },
  "fields-posted-backend": {
    what: "Fields of a posted backend",
    before: "Anything",
    now: "400 with a reason for control characters, invalid header or cookie names, and cookie attributes with a semicolon. The answer names unknown fields",
    why: "Nothing posted can inject a header, and typos are found",
    concerns: operation,
  },
  "upstream-default-backend-get-configuration-backends": {
    what: "`upstream-default-backend` in `GET /configuration/backends`",
    before: "With the endpoint 127.0.0.1:8181, which gets these requests",
    now: "The same, but nginx answers 404 itself, without a connection to this endpoint",
    concerns: operation,
  },
  "wait-shutdown-as-prestop-hook": {
    what: "`/wait-shutdown` as `preStop` hook",
    before:
      "nginx stops accepting connections at once, unless `--shutdown-grace-period` is set. Connections that other nodes still send here are refused",
    now: "nginx accepts connections for ten seconds more, or for `--shutdown-grace-period` if that is longer",
    why: "No request is lost in a rolling update",
    concerns: operation,
  },
  "kept-connections-when-pod-ends": {
    what: "Kept connections when a Pod ends",
    before: "Closed without notice",
    now: "Responses say `Connection: close` or `GOAWAY` as soon as the end has begun",
    why: "A client must not meet a closed connection",
    concerns: operation,
  },
  "when-post-takes-effect": {
    what: "When a POST takes effect",
    before: "Within a second, worker by worker",
    now: "In every worker, before the answer 201",
    why: "No stale endpoint is picked",
    concerns: operation,
  },
} satisfies Differences
