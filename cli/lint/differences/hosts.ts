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
    what: "An `Exact` path `/` stands beside regular expressions of its host (`use-regex`, `rewrite-target`)",
    before: "The path is never found: the implicit `/` of the host matches first, and answers 404",
    now: "The path serves requests for `/`",
    why: "It is what the Ingress asks for",
    concerns: exactRootBesidePattern,
  },
  "path-expensive-regex": {
    what: "A path is a regular expression that can be expensive to match",
    before: "A match may take ten million steps",
    now: "A match may take a few thousand steps, then the answer is 500 ([ingress-module.md](ingress-module.md))",
    why: "A path must not keep a worker busy for seconds",
    concerns: nestedRepetition,
  },
  "path-not-normalised": {
    what: "An `Exact` or `Prefix` path contains `//`, `/./` or `/../`",
    before: "The path is accepted, but never matches",
    now: "The path is refused, with a Problem",
    why: "nginx normalises the request's path first",
    concerns: problem("path-refused"),
  },
  "health-paths-of-traffic-port": {
    what: "A rule without host has a path below `/healthz` or `/nginx_status`",
    before: "The controller answers these paths itself on the traffic port",
    now: "The path of the Ingress is served",
    why: "The paths belong to the application",
    concerns: ownHealthPath,
  },
  "host-of-another-namespace": {
    what: "The oldest Ingress of the host is of another namespace, and this one says something of the host as a whole: `ssl-ciphers`, `ssl-prefer-server-ciphers`, `ssl-passthrough`, `server-alias`, `from-to-www-redirect`, `app-root`, or a tls section where the owner has none",
    before: "The oldest Ingress that says it decides, whatever its namespace",
    now: "It has no effect, with a Problem that names the owner. `host-owner` names owners, `cross-namespace: allowed` is as before",
    why: "Authors of Ingresses anywhere could take or break any host",
    concerns: problem("host-owned"),
  },
  "auth-tls-of-another-namespace": {
    what: "`auth-tls-secret` is on a host whose oldest Ingress is of another namespace",
    before:
      "All clients of the host are asked for certificates, and none gets in if the Secret cannot be used",
    now: "The owner's settings apply; if they are others, the paths of this Ingress get 503",
    why: "One namespace must not close another's host, and what it wanted to protect stays closed",
    concerns: problem("client-certificates-foreign"),
  },
  "patterns-of-another-namespace": {
    what: "A path is a regular expression (`use-regex`, `rewrite-target`) on a host whose oldest Ingress is of another namespace",
    before: "All paths of the host become regular expressions, and the longest text is tried first",
    now: "Paths of others stay what they are. The expression is tried after those of the owner, where its literal beginning would stand as a path; one that could match everything is left out if another namespace has `/`",
    why: "`/.*` took the paths of everybody",
    concerns: either(problem("pattern-foreign"), foreignPattern),
  },
  "rules-of-another-namespace": {
    what: "With `cross-namespace: none`, which ingress-nginx does not know, a rule is for a host whose oldest Ingress is of another namespace",
    before: "The rule is served",
    now: "The rule is left out, with a Problem",
    concerns: problem("host-foreign"),
  },
  "default-backend-of-another-namespace": {
    what: "The Ingress has only a default backend, and an older one of another namespace has `/` without host",
    before: "The default backend gets the requests",
    now: "The rule of the older Ingress gets the requests",
    why: "As for every other conflict: the older one wins",
    concerns: both(onlyDefaultBackend, problem("path-taken")),
  },
  "server-alias-pattern": {
    what: "`server-alias` has a regular expression, a wildcard or a name that begins with a dot",
    before: "The name is copied into `server_name`",
    now: "An expression or a name with a dot in front is left out, with a Problem; other names are used. `*.shop.test` stands for one label, as in rules",
    why: "Hosts are data: one lookup, not a list of expressions",
    concerns: either(
      refused("server-alias"),
      says("routing", "aliases", (names) => names.some((name) => name.startsWith("*."))),
    ),
  },
  "server-alias-metrics": {
    what: "Requests for a name of `server-alias` have another host in metrics",
    before: "The label `host` and `$ingress_host` are the alias that was requested",
    now: "The label `host` and `$ingress_host` are the host that the alias belongs to; `$host` is what was requested",
    why: "An alias refers to the routes of its host, so that names cost no memory for each path",
    concerns: servedAlias,
  },
  "server-alias-taken": {
    what: "`server-alias` names an alias that another host has, too",
    before: "The host that is first by name gets the alias",
    now: "The host of the older Ingress gets the alias; the other one gets a Problem",
    why: "As for every other conflict",
    concerns: problemText("alias-left-out", /already$|elsewhere$/),
  },
} satisfies Differences
