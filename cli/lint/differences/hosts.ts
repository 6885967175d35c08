import {
  exactRootBesidePattern,
  foreignPattern,
  nestedRepetition,
  onlyDefaultBackend,
  ownHealthPath,
  servedAlias,
} from "./conditions.ts"
import { type Differences, everyRequest, onlyNginx } from "./difference.ts"
import { both, either, problem, problemText, refused, says } from "./matching.ts"

/** Differences under the heading "Hosts and paths". */
export const hostsDifferences = {
  "get-https-shop-test-cart-different": {
    what: "`GET https://shop.test/cart` with a different `Host` header",
    before:
      "Route and client certificate are those of the target; `$http_host` and the backend get the header",
    now: "The target's host everywhere (RFC 9112, section 3.2.2)",
    why: "A client must not be let in as one host and served as another",
    concerns: everyRequest,
  },
  "host-shop-test-x-other-test": {
    what: "`Host: shop.test:x@other.test`, or `@`, `?`, `#`, `\\` in a host",
    before: "Served, and passed to the backend",
    now: "400",
    why: "The backend or a browser could find another host in it",
    concerns: everyRequest,
  },
  "path-read-twice": {
    what: "A requested path with `.` or `..` between slashes, `\\`, `..;` or `#` that a backend could read as the path of another route: `/open/../admin`, `/open/..;/admin`",
    before: "The route of the path that nginx reads; the backend gets the path as the client wrote it",
    now: "400, unless all readings lead to the same route",
    why: "Checks and backend must be about one path",
    concerns: everyRequest,
  },
  "path-not-a-regular-expression": {
    what: "A path that is not a valid regular expression (`use-regex`, `rewrite-target`)",
    before: "Let in, and nginx accepts no further configuration",
    now: "The path is left out. The Problem has PCRE's reason and the position",
    why: "One path must not block everybody's changes",
    concerns: onlyNginx,
  },
  "exact-root-beside-regex": {
    what: "`pathType: Exact` with path `/`, where a path of the host is a regular expression (`use-regex`, `rewrite-target`)",
    before: "Never found: the implicit `/` of the host matches first, so 404",
    now: "Serves requests for `/`",
    why: "It is what the Ingress asks for",
    concerns: exactRootBesidePattern,
  },
  "path-expensive-regex": {
    what: "A path that is an expensive regular expression",
    before: "A match may take ten million steps",
    now: "A match may take a few thousand steps, then 500 ([ingress-module.md](ingress-module.md))",
    why: "A path must not keep a worker busy for seconds",
    concerns: nestedRepetition,
  },
  "path-not-normalised": {
    what: "`Exact` and `Prefix` paths with `//`, `/./` or `/../`",
    before: "Accepted, but never match",
    now: "Refused with a Problem",
    why: "nginx normalises the request's path first",
    concerns: problem("path-refused"),
  },
  "health-paths-of-traffic-port": {
    what: "`/healthz` and `/nginx_status` on the traffic port",
    before: "Locations of the default host, which win over an Ingress's paths",
    now: "Routes of the default host. An Ingress's own paths win",
    why: "The paths belong to the application",
    concerns: ownHealthPath,
  },
  "host-of-another-namespace": {
    what: "What an Ingress says of a host whose oldest Ingress is of another namespace: `ssl-ciphers`, `ssl-prefer-server-ciphers`, `ssl-passthrough`, `server-alias`, `from-to-www-redirect`, `app-root`, and a tls section where the owner has none",
    before: "The oldest Ingress that says it decides, whatever its namespace",
    now: "No effect, with a Problem that names the owner. `host-owner` names owners, `cross-namespace: allowed` is as before",
    why: "Whoever may write Ingresses somewhere could take or break any host",
    concerns: problem("host-owned"),
  },
  "auth-tls-of-another-namespace": {
    what: "`auth-tls-secret` on a host whose oldest Ingress is of another namespace",
    before: "All clients of the host are asked, and none gets in if the Secret cannot be used",
    now: "The owner's settings apply; if they are others, the paths of this Ingress get 503",
    why: "One namespace must not close another's host, and what it wanted to protect stays closed",
    concerns: problem("client-certificates-foreign"),
  },
  "patterns-of-another-namespace": {
    what: "A regular expression (`use-regex`, `rewrite-target`) on a host whose oldest Ingress is of another namespace",
    before: "All paths of the host become regular expressions, the longest text first",
    now: "Paths of others stay what they are. The expression comes where its literal beginning would come as a path, after those of the owner; one that could match everything is left out if another namespace has `/`",
    why: "`/.*` took the paths of everybody",
    concerns: either(problem("pattern-foreign"), foreignPattern),
  },
  "rules-of-another-namespace": {
    what: "`cross-namespace: none`, which ingress-nginx does not know: rules for a host whose oldest Ingress is of another namespace",
    before: "Served",
    now: "Left out, with a Problem",
    concerns: problem("host-foreign"),
  },
  "default-backend-of-another-namespace": {
    what: "A younger Ingress of another namespace with only a default backend, where a rule without host has `/`",
    before: "The default backend is used",
    now: "The rule is used",
    why: "As for every other conflict: the older one wins",
    concerns: both(onlyDefaultBackend, problem("path-taken")),
  },
  "server-alias-pattern": {
    what: "`server-alias` with a regular expression, or a name with special meaning to nginx (`.shop.test`)",
    before: "Copied into `server_name`",
    now: "That name is left out, with a Problem; the other names are used. `*.shop.test` stands for one label, as in rules",
    why: "Hosts are data: one lookup, not a list of expressions",
    concerns: either(
      refused("server-alias"),
      says("routing", "aliases", (names) => names.some((name) => name.startsWith("*."))),
    ),
  },
  "server-alias-metrics": {
    what: "`server-alias`: the label `host` of metrics, and `$ingress_host`",
    before: "The alias that was requested",
    now: "The host that the alias belongs to; `$host` is what was requested",
    why: "An alias refers to the routes of its host, so that names cost no memory for each path",
    concerns: servedAlias,
  },
  "server-alias-taken": {
    what: "`server-alias`: two hosts have the same alias",
    before: "The host that is first by name gets it",
    now: "The host of the older Ingress gets it; the other one gets a Problem",
    why: "As for every other conflict",
    concerns: problemText("alias-left-out", /already$|elsewhere$/),
  },
} satisfies Differences
