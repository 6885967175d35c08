// A real nginx with the ingress module and a zone that the test fills itself: no filter, no controller.
import { ask } from "../http.ts"
import { type Conf, type Nginx, type Site, startNginx } from "../nginx.ts"
import { cert, key } from "../tls.ts"
import { type Route, recordOf } from "./records.ts"
import { zoneWriter } from "./zone-writer.ts"

export interface IngressOptions {
  /** Text inside the server block: the named locations. */
  readonly locations?: string
  /** The line that declares the threads in which passwords are verified. */
  readonly threads?: string
  /** Text inside `http`, before the server block. */
  readonly http?: string | ((site: Site) => string)
  /** Text inside `location / { }`, beside `ingress_route`. */
  readonly location?: string
  /** Further parameters of `ingress_route`. */
  readonly parameters?: string
  /** Text of further server blocks: those of some hosts, at the ports of the first, which is called `_`. */
  readonly more?: (site: Site) => string
  readonly workers?: number
  /** Text of further `listen` lines' parameters, default none. */
  readonly listen?: string
  /** Text inside the server block, which listens with TLS on `tlsPort`, too, if this is there; e.g. `ingress_certificates`. */
  readonly tls?: string
  readonly under?: readonly string[]
  /** Text in the main context. */
  readonly main?: string
  /** How many free ports to find beside those that it listens on; default none. */
  readonly morePorts?: number
}

/** A certificate for every name. */
export const staticTls = `ssl_certificate "data:${cert}"; ssl_certificate_key "data:${key}";`

/** A named location `name` that answers with the text of `body`, in which variables are put in. */
export const answering = (name: string, body: string) => `location @${name} { return 200 "${body}"; }`

export class Ingress implements AsyncDisposable {
  readonly nginx: Nginx
  constructor(nginx: Nginx) {
    this.nginx = nginx
  }

  get port(): number {
    return this.nginx.port
  }

  get tlsPort(): number {
    return this.nginx.site.ports[1] ?? 0
  }

  /** Puts the routes of `host` in force; no routes at all removes the host. */
  async route(host: string, routes: readonly Route[] | undefined, server = "main"): Promise<void> {
    await this.write(`${server}/${host}`, routes === undefined ? undefined : recordOf(routes))
  }

  /** Writes the key `routes/<name>`, or deletes it; likewise of the zone `certificates`. */
  async write(name: string, value: Uint8Array | undefined, zone = "routes"): Promise<void> {
    const path = `/${zone}/${encodeURI(name)}`
    const question = value === undefined ? { method: "DELETE" } : { method: "PUT", body: value }
    const answer = await ask({ socketPath: this.nginx.site.socket }, { path, ...question })
    if (answer.status !== 204) throw new Error(`The zone did not take ${name}: ${answer.status}`)
  }

  /** Status and body of one request, e.g. `200 from @plain`. */
  async ask(host: string, path = "/", headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { status, body } = await this.nginx.get(path, { host, headers })
    return status === 200 ? body : String(status)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.nginx.stop()
  }
}

export async function startIngress(options: IngressOptions = {}): Promise<Ingress> {
  const writer = await zoneWriter()
  const under = options.under === undefined ? {} : { under: options.under }
  const ports = (options.tls === undefined ? 1 : 2) + (options.morePorts ?? 0)
  return new Ingress(await startNginx((site) => confOf(site, writer, options), { ports, ...under }))
}

/** The configuration of {@link startIngress}, for reloads with other named locations. */
export function confOf(site: Site, writer: string, options: IngressOptions): Conf {
  const locations = options.locations ?? answering("plain", "$namespace/$ingress_name $proxy_upstream_name")
  const http = typeof options.http === "function" ? options.http(site) : options.http
  const tls =
    options.tls === undefined
      ? ""
      : `listen 127.0.0.1:${site.ports[1]} ssl http2; ${staticTls} ${options.tls}`
  return {
    workers: options.workers ?? 1,
    main: `load_module ${site.modules}/ngx_http_ingress_module.so; load_module ${writer};
${options.main ?? ""}
${options.threads ?? "thread_pool wick_passwords threads=2;"}`,
    http: `
zone_writer routes 4m;
zone_writer certificates 4m;
client_body_buffer_size 1m; client_max_body_size 1m;
${http ?? ""}
server {
  listen unix:${site.socket};
  location /routes/ { zone_write routes; }
  location /certificates/ { zone_write certificates; }
}
server {
  listen 127.0.0.1:${site.port} ${options.listen ?? ""};
  server_name _;
  ${tls}
  location / { client_max_body_size 0; ingress_route routes ${options.parameters ?? ""}; ${options.location ?? ""} }
  ${locations}
}
${options.more?.(site) ?? ""}`,
  }
}
