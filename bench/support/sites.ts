// Configurations that do the same thing in different ways: pass requests for one host on to some endpoints, over kept
// connections. What differs is who finds the location and who chooses the endpoint.
import { join } from "node:path"
import { compiledDir } from "../../harness/compiled.ts"
import { type Nginx, startNginx, type WriteConf } from "../../harness/nginx.ts"
import { balancerFile } from "../../harness/paths.ts"
import { backend, host, Plane } from "../../harness/plane.ts"
import { custom, PolicyDirectory } from "../../harness/policies/policies.ts"
import { policyWat } from "../../harness/policies/wat.ts"

export const hostName = "shop.test"
/** What clients ask for, in turn. */
export const paths: readonly string[] = Array.from({ length: 64 }, (_, n) => `/item/${n}`)
const cookieName = "INGRESSCOOKIE"

/** One way to proxy. */
export interface Way {
  /** Stock nginx does it, with or without our modules loaded; or `ingress_route` finds the location. */
  readonly by: "nginx" | "modules" | "route"
  /** Settings of the backend whose endpoint the filter chooses; without them the upstream block chooses. */
  readonly settings?: object
  /** Text of the policy that chooses. */
  readonly policy?: string
  /** Clients come back with the cookie that they got. */
  readonly isKnown?: boolean
  /** What else the route has, and the location of a way that has no route. */
  readonly route?: object
  readonly location?: string
  /** The way that it is compared with, with ten endpoints; default `static`. */
  readonly base?: string
  /** The most CPU time that it may take, as a ratio to its base. */
  readonly target?: number
}

// As ingress-nginx prints it for `use-regex` and `rewrite-target`.
const rewritingLocation = `~* "^/item(/|$)(.*)" {
    rewrite "(?i)/item(/|$)(.*)" /$2 break;`
const rewritingRoute = { path: "/item(/|$)(.*)", match: "regex", rewrite: "/$2" }
const numbered = {
  overrides: {
    proxy_read_timeout_ms: 30_000,
    proxy_buffer_size_bytes: 8192,
    client_max_body_size_bytes: 1 << 20,
  },
}
const headed = {
  headers: [
    { name: "X-Frame-Options", value: "DENY" },
    { name: "X-Content-Type-Options", value: "nosniff" },
  ],
}
const conditional = {
  conditions: [
    { of: "header", name: "Host", match: "exact", value: hostName },
    { of: "header", name: "Connection", match: "exact", value: "keep-alive" },
  ],
}
const split = {
  split: [
    { weight: 90, backend: "shop" },
    { weight: 10, backend: "shop" },
  ],
}
const headingLocation = `/ {
    add_header X-Frame-Options DENY always;
    add_header X-Content-Type-Options nosniff always;`

const identifyingLocation = `/ {
    proxy_set_header X-Request-ID $request_id;`

const sticky = {
  sessionAffinityConfig: {
    name: "cookie",
    mode: "balanced",
    cookieSessionAffinity: { name: cookieName, path: "/", locations: { [hostName]: ["/"] } },
  },
}

export const ways: Readonly<Record<string, Way>> = {
  static: { by: "nginx" },
  modules: { by: "modules" },
  route: { by: "route" },
  route_numbers: { by: "route", route: numbered, base: "route" },
  route_conditions: { by: "route", route: conditional, base: "route" },
  route_split: { by: "route", route: split, base: "route" },
  static_headers: { by: "nginx", location: headingLocation, base: "static_headers" },
  route_headers: { by: "route", route: headed, base: "static_headers" },
  static_request_id: { by: "nginx", location: identifyingLocation, base: "static_request_id" },
  modules_request_id: { by: "modules", location: identifyingLocation, base: "static_request_id" },
  static_rewrite: { by: "nginx", location: rewritingLocation, base: "static_rewrite" },
  route_rewrite: { by: "route", route: rewritingRoute, base: "static_rewrite", target: 1.03 },
  round_robin: { by: "route", settings: {}, target: 1.03 },
  custom: { by: "route", settings: {}, policy: policyWat(), base: "round_robin", target: 1.02 },
  ewma: { by: "route", settings: { "load-balance": "ewma" }, target: 1.06 },
  least_conn: { by: "route", settings: { "load-balance": "least_conn" } },
  p2c: { by: "route", settings: { "load-balance": "p2c" } },
  chash: {
    by: "route",
    settings: { upstreamHashByConfig: { "upstream-hash-by": "$request_uri" } },
    target: 1.04,
  },
  sticky: { by: "route", settings: sticky, isKnown: true, target: 1.08 },
  sticky_new: { by: "route", settings: sticky, target: 1.12 },
}

/** With many endpoints every way may take this much, compared with `static` and ten endpoints. */
export const manyTarget = 1.15
export const few = 10
export const many = 1000

/** A way with a number of endpoints. */
export interface Case {
  readonly name: string
  readonly way: Way
  readonly endpoints: number
  /** What clients send. `static` is measured with either, so that cookies cost it as much as they cost others. */
  readonly withCookies: boolean
}

/** Address of endpoint `n` of a site; all listen on one port. */
export const endpointAddress = (n: number) => `127.1.${n >> 8}.${n & 255}`

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** So many addresses answer on one port with a small body. */
export const endpointsConf =
  (count: number): WriteConf =>
  ({ port }) => ({
    main: "worker_rlimit_nofile 20000;",
    http: `
keepalive_requests 1000000000;
server {
  listen 127.0.0.1:${port};
${numbers(count)
  .map((n) => `  listen ${endpointAddress(n)}:${port};`)
  .join("\n")}
  location / { return 200 "hello from one of the endpoints\\n"; }
}`,
  })

/** @param single everything in one process, for valgrind */
function proxyConf({ way, endpoints }: Case, endpointPort: number, single: boolean): WriteConf {
  const inWasm = way.settings !== undefined
  // Enough for all endpoints: otherwise each request opens a connection, whoever chooses.
  const kept = Math.max(320, 2 * endpoints)
  return ({ dir, port, socket, modules }) => ({
    main: `worker_rlimit_nofile 20000;
${single ? "master_process off;" : ""}
${way.by === "nginx" ? "" : modulesBlock(modules, policiesIn(dir))}`,
    http: `
keepalive_requests 1000000000;
upstream upstream_balancer {
${inWasm ? filterUpstream(kept) : staticUpstream(endpoints, endpointPort, kept)}
}
${way.by === "nginx" ? "" : controlServer(socket)}
${way.by === "route" ? routedServer(port, inWasm) : staticServer(port, way.location ?? "/ {")}`,
  })
}

export interface SiteOptions {
  /** Runs nginx, as one process, under another program. */
  readonly under?: readonly string[]
  /** Folder of other modules than those in out/modules. */
  readonly modules?: string
}

/** Starts a site, and gives it its backend and route. */
export async function startSite(
  one: Case,
  endpointPort: number,
  { under, modules }: SiteOptions = {},
): Promise<Nginx> {
  const conf = proxyConf(one, endpointPort, under !== undefined)
  const withModules: WriteConf = (site) => conf({ ...site, modules: modules ?? site.modules })
  const site = await startNginx(withModules, under === undefined ? {} : { under })
  if (one.way.by !== "route") return site
  const list = numbers(one.endpoints).map((n) => ({
    endpoint: { address: endpointAddress(n), port: endpointPort },
  }))
  const settings = await settingsOf(one.way, site)
  await new Plane(site).apply({
    backends: { set: [{ ...backend("shop", list), ...settings }] },
    routes: { set: [host(hostName, "shop", { location_path: "/", ...one.way.route })] },
  })
  return site
}

async function settingsOf({ settings, policy }: Way, { dir }: Nginx): Promise<object | undefined> {
  if (policy === undefined) return settings
  const directory = await PolicyDirectory.at(policiesIn(dir))
  return { ...settings, ...custom(await directory.add("turns", policy)) }
}

/** Cookies of so many different clients: what they got from the site, or made up if it gives none. */
export async function cookiesOf(site: Nginx, count: number): Promise<string[]> {
  const cookies: string[] = []
  for (const n of numbers(count)) {
    const { headers } = await site.get("/", { host: hostName })
    const given = headers["set-cookie"]?.[0]?.split(";")[0]
    cookies.push(given ?? `${cookieName}=1763731200.${n}.31.4711|0123456789abcdef0123456789abcdef`)
  }
  return cookies
}

const policiesIn = (dir: string) => join(dir, "policies")

function modulesBlock(modules: string, policies: string): string {
  return `load_module ${modules}/ngx_http_wasm_module.so;
load_module ${modules}/ngx_http_ingress_module.so;
wasm {
  module balancer ${balancerFile};
  shm_kv backends 64m slots=65536;
  shm_kv routes 32m;
  policy_directory ${policies};
  compilation_cache ${compiledDir(balancerFile)};
}`
}

const filterUpstream = (kept: number) => `
  server 0.0.0.1;
  wasm_upstream_select key=$proxy_upstream_name fallback=backends/$proxy_upstream_name
    keepalive=${kept} keepalive_requests=1000000000;`

const staticUpstream = (count: number, port: number, kept: number) => `
${numbers(count)
  .map((n) => `  server ${endpointAddress(n)}:${port};`)
  .join("\n")}
  keepalive ${kept};
  keepalive_requests 1000000000;`

const proxy = `
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Real-IP $remote_addr;
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries 3;
    proxy_pass http://upstream_balancer;`

function controlServer(socket: string): string {
  return `server {
  listen unix:${socket};
  client_max_body_size 1m;
  client_body_buffer_size 1m;
  location = /plain { return 200; }
  location /configuration {
    proxy_wasm balancer 'role=control';
    return 404;
  }
}`
}

// The first server is the default one; with the second one nginx has to look at the host, as the route has to.
function staticServer(port: number, location: string): string {
  return `server {
  listen 127.0.0.1:${port};
  return 404;
}
server {
  listen 127.0.0.1:${port};
  server_name ${hostName};
  location = /plain { return 200; }
  location ${location}${proxy}
  }
}`
}

function routedServer(port: number, inWasm: boolean): string {
  return `server {
  listen 127.0.0.1:${port};
  location = /plain { return 200; }
  location / {
    ingress_route routes;
    client_max_body_size 0;
  }
  location @location-plain {
    ${inWasm ? "proxy_wasm balancer;" : ""}${proxy}
  }
}`
}

const headers = [
  ...["Host $host", "X-Real-IP $remote_addr", "X-Forwarded-For $remote_addr", "X-Forwarded-Host $host"],
  ...["X-Forwarded-Proto $scheme", "X-Forwarded-Scheme $scheme", "X-Scheme $scheme", 'Connection ""'],
]

/** Directives for the headers that the rendered configuration sends to endpoints. */
export const usualHeaders = headers.map((header) => `proxy_set_header ${header};`).join(" ")
