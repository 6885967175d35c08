// A stock nginx with the snippets of Ingresses as text where ingress-nginx has them, and around them what its configuration has there: the lines that
// a snippet can replace, add to, come before or after. Lua is left out: a backend is one server, and nothing is redirected to HTTPS.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { checkConf, type Nginx, type Site, startNginx } from "../../../../harness/nginx.ts"
import { root, stockModulesDir } from "../../../../harness/paths.ts"
import { authPath, type CasePath, type SnippetCase } from "./case.ts"

export interface OracleConf {
  /** Each under the host that `hostOf` gives it. */
  readonly cases: readonly SnippetCase[]
  readonly backendPort: number
  /** Snippets of the ConfigMap. */
  readonly http?: string
  readonly server?: string
  readonly location?: string
}

/** The host of the case at this place of a list. */
export const hostOf = (index: number) => `case-${index}.test`

/** What of the oracle's text comes from annotations: others would be ignored in silence. */
const known = new Set([
  ...["app-root", "auth-response-headers", "auth-url", "permanent-redirect", "rewrite-target"],
  ...["upstream-vhost", "use-regex"],
])

/** @throws with nginx's own words and the name of a case that it refuses */
export async function startOracle(conf: OracleConf): Promise<Nginx> {
  try {
    return await startNginx((site) => confOf(conf, site), { ports: 2 })
  } catch (error) {
    for (const it of conf.cases) await check({ ...conf, cases: [it] })
    throw error
  }
}

async function check(conf: OracleConf): Promise<void> {
  const { ok, output } = await checkConf((site) => confOf(conf, site), { ports: 2 })
  if (!ok) throw new Error(`nginx refuses ${conf.cases.map(({ name }) => name)}: ${output}`)
}

let isFetched = false

function headersMore(): string {
  if (!isFetched)
    execFileSync(join(root, "build/headers-more.sh"), { stdio: ["ignore", "inherit", "inherit"] })
  isFetched = true
  return join(stockModulesDir, "ngx_http_headers_more_filter_module.so")
}

function confOf(
  conf: OracleConf,
  { port, ports: [, defaultPort = 0] }: Site,
): { main: string; http: string } {
  return {
    main: `load_module ${headersMore()};`,
    http: `
${httpLevel(conf.backendPort)}
${conf.http ?? ""}
server { listen 127.0.0.1:${port} default_server; server_name _; return 404; }
server { listen 127.0.0.1:${defaultPort}; return 404; }
upstream default_backend { server 127.0.0.1:${defaultPort}; keepalive 320; }
${conf.cases.map((it, index) => serverOf(it, hostOf(index), port, conf)).join("\n")}`,
  }
}

function httpLevel(backendPort: number): string {
  return `
tcp_nopush on;
tcp_nodelay on;
reset_timedout_connection on;
log_subrequest on;
client_header_buffer_size 1k;
large_client_header_buffers 4 8k;
client_body_buffer_size 8k;
types_hash_max_size 2048;
server_names_hash_max_size 16384;
server_names_hash_bucket_size 128;
proxy_headers_hash_max_size 512;
proxy_headers_hash_bucket_size 64;
variables_hash_bucket_size 256;
variables_hash_max_size 2048;
underscores_in_headers off;
ignore_invalid_headers on;
limit_req_status 503;
limit_conn_status 503;
include ${join(root, "out/nginx/etc/nginx/mime.types")};
default_type text/html;
server_tokens off;
more_clear_headers Server;
uninitialized_variable_warn off;
# ingress-nginx says so for each of its paths: those of snippets have 1.0 there, and nothing is meant by it.
proxy_http_version 1.1;
geo $literal_dollar { default "$"; }
map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
map $http_x_request_id $req_id { default $http_x_request_id; "" $request_id; }
server_name_in_redirect off;
port_in_redirect off;
proxy_ssl_session_reuse on;
${["upstream_balancer", ...clusterNames].map((name) => upstream(name, backendPort)).join("\n")}`
}

/** Names by which snippets ask Services of the cluster. */
const clusterNames = ["app.demo.svc.cluster.local"]

function upstream(name: string, port: number): string {
  return `upstream ${name} { server 127.0.0.1:${port}; keepalive 320; }`
}

function serverOf(it: SnippetCase, host: string, port: number, conf: OracleConf): string {
  const annotations = it.annotations ?? {}
  for (const name of Object.keys(annotations))
    if (!known.has(name)) throw new Error(`The oracle has no text for annotation "${name}"`)
  const root = annotations["app-root"]
  const locations = locationsOf(it).map((location) => locationOf(location, it, conf))
  return `
server {
  server_name "${host}";
  listen 127.0.0.1:${port};
  set $proxy_upstream_name "-";
${it.server ?? ""}
${root === undefined ? "" : `if ($uri = /) { return 302 $scheme://$http_host${root}; }`}
${annotations["auth-url"] === undefined ? "" : authLocation}
${locations.join("\n")}
${conf.server ?? ""}
}`
}

interface Location {
  /** Modifier and path. */
  readonly match: string
  readonly path: string
  /** Nobody has asked for it: ingress-nginx's own, for what no other path of the host matches. */
  readonly isDefault?: true
}

/** In ingress-nginx's order: paths that come last in the alphabet come first. */
function locationsOf({ paths = everything, annotations = {} }: SnippetCase): Location[] {
  const hasRoot = paths.some(({ path, type }) => path === "/" && type === "Prefix")
  const rest: Location[] = hasRoot ? [] : [{ match: '"/"', path: "/", isDefault: true }]
  const sorted = paths.toSorted((a, b) => (a.path < b.path ? 1 : -1))
  const hasPatterns = annotations["use-regex"] === "true" || annotations["rewrite-target"] !== undefined
  if (hasPatterns) return [...sorted.map(({ path }) => ({ match: `~* "^${path}"`, path })), ...rest]
  const own = sorted.flatMap(({ path, type }) => {
    if (path === "/") return { match: '"/"', path }
    const exact = { match: `= "${path}"`, path }
    const prefix = { match: `"${path.replace(/\/?$/, "/")}"`, path }
    const isNamed = paths.some((it) => it.type === "Exact" && it.path === path)
    if (type === "Exact") return exact
    return isNamed ? prefix : [prefix, exact]
  })
  return [...own, ...rest]
}

const everything: readonly CasePath[] = [{ path: "/", type: "Prefix" }]

function locationOf({ match, path, isDefault }: Location, it: SnippetCase, conf: OracleConf): string {
  const annotations = it.annotations ?? {}
  const [service, port, backend] = isDefault
    ? ["", "", "upstream-default-backend"]
    : ["app", "80", "demo-app-80"]
  return `
location ${match} {
  set $namespace "demo";
  set $ingress_name "${ingressName(it)}";
  set $service_name "${service}";
  set $service_port "${port}";
  set $location_path "${literal(path)}";
  rewrite_log on;
  port_in_redirect off;
  set $balancer_ewma_score -1;
  set $proxy_upstream_name "${backend}";
  set $proxy_host $proxy_upstream_name;
  set $pass_access_scheme $scheme;
  set $pass_server_port $server_port;
  set $best_http_host $http_host;
  set $pass_port $pass_server_port;
  set $proxy_alternative_upstream_name "";
${authOf(annotations)}
  client_max_body_size 1m;
${proxying(annotations["upstream-vhost"] ?? "$best_http_host")}
${it.location ?? ""}
${conf.location ?? ""}
${targetOf(path, isDefault ? "default_backend" : "upstream_balancer", annotations)}
}`
}

const literal = (text: string) => text.replaceAll("$", `\${literal_dollar}`)

/** Named so that wick's manifests can tell the cases apart, and the oracle's variables say the same. */
export const ingressName = ({ name }: SnippetCase) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

const authLocation = `
location = /_external-auth {
  internal;
  access_log off;
  proxy_pass_request_body off;
  proxy_set_header Content-Length "";
  proxy_set_header X-Forwarded-Proto "";
  proxy_set_header Host auth.test;
  proxy_http_version 1.1;
  proxy_pass http://upstream_balancer${authPath};
}`

function authOf(annotations: Readonly<Record<string, string>>): string {
  if (annotations["auth-url"] === undefined) return ""
  const names = annotations["auth-response-headers"]?.split(",") ?? []
  const headers = names.map((name, index) => {
    const variable = `$upstream_http_${name.toLowerCase().replaceAll("-", "_")}`
    return `auth_request_set $authHeader${index} ${variable}; proxy_set_header ${name} $authHeader${index};`
  })
  return `
  auth_request /_external-auth;
  auth_request_set $auth_cookie $upstream_http_set_cookie;
  add_header Set-Cookie $auth_cookie;
${headers.join("\n")}`
}

function proxying(vhost: string): string {
  return `
  proxy_set_header Host ${vhost};
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_set_header X-Request-ID $req_id;
  proxy_set_header X-Real-IP $remote_addr;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Host $best_http_host;
  proxy_set_header X-Forwarded-Port $pass_port;
  proxy_set_header X-Forwarded-Proto $pass_access_scheme;
  proxy_set_header X-Forwarded-Scheme $pass_access_scheme;
  proxy_set_header X-Scheme $pass_access_scheme;
  proxy_set_header X-Original-Forwarded-For $http_x_forwarded_for;
  proxy_set_header Proxy "";
  proxy_connect_timeout 5s;
  proxy_send_timeout 60s;
  proxy_read_timeout 60s;
  proxy_buffering off;
  proxy_buffer_size 4k;
  proxy_buffers 4 4k;
  proxy_max_temp_file_size 1024m;
  proxy_request_buffering on;
  proxy_http_version 1.1;
  proxy_cookie_domain off;
  proxy_cookie_path off;
  proxy_next_upstream error timeout;
  proxy_next_upstream_timeout 0;
  proxy_next_upstream_tries 3;`
}

function targetOf(path: string, upstream: string, annotations: Readonly<Record<string, string>>): string {
  const redirect = annotations["permanent-redirect"]
  const target = annotations["rewrite-target"]
  return `
${redirect === undefined ? "" : `return 301 ${redirect};`}
${target === undefined || target === path ? "" : `rewrite "(?i)${path}" ${target} break;`}
  proxy_pass http://${upstream};
  proxy_redirect off;`
}
