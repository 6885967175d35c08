// The data plane alone: a real nginx with both modules and a filter, configured by hand as the controller would, and the
// control API spoken directly.
import type { ZoneFill } from "../controller/model/zone-fill.ts"
import { compiledDir } from "./compiled.ts"
import type { Answer } from "./http.ts"
import { type Nginx, startNginx, type WriteConf } from "./nginx.ts"
import { balancerFile } from "./paths.ts"
import { patientWithFilters } from "./until.ts"

export interface PlaneOptions {
  readonly workers?: number
  /** Another filter than the release balancer. */
  readonly balancer?: string
  /** Size of the zone `backends`; default 16m. */
  readonly backendsZone?: string
  /** Processes that may write the slots of that zone; default 256. */
  readonly processes?: number
  /** Size of the zone `routes`; default 16m. */
  readonly routesZone?: string
  /** Size of the zone `certificates`; default 16m. */
  readonly certificatesZone?: string
  /** How many endpoints a request tries at most; default 3. */
  readonly tries?: number
  /** Directives for the wasm block, the http block and the named location. */
  readonly inWasm?: string
  readonly inHttp?: string
  readonly inLocation?: string
  /** Further locations of the server. */
  readonly inServer?: string
  /** Further directives of the server, which may name ports beside its own, of which there are so many. */
  readonly morePorts?: { readonly count: number; readonly listen: (ports: readonly number[]) => string }
  /** Parameters of `ingress_route`. */
  readonly routeParameters?: (port: number) => string
}

/** What docs/wire.md calls a change, without base and generation. */
export interface Change {
  readonly backends?: Lists
  readonly route_parts?: Lists
  readonly routes?: Lists<object>
  readonly certificates?: Lists
  readonly staples?: Lists
  readonly authorities?: Lists
  readonly tls_hosts?: Lists
  readonly passthroughs?: Lists
  readonly address_lists?: Lists
  readonly streams?: Lists
}

interface Lists<Name = string> {
  readonly set?: readonly object[]
  readonly remove?: readonly Name[]
}

export class Plane implements AsyncDisposable {
  readonly nginx: Nginx
  #generation: string | null = null
  #count = 0

  constructor(nginx: Nginx) {
    this.nginx = nginx
  }

  /** The generation of the last change that was applied. */
  get generation(): string | null {
    return this.#generation
  }

  /** Posts a change on top of the last one (or of `base`) and returns the answer, whatever it is. */
  async post(change: Change, base: string | null = this.#generation): Promise<Answer> {
    this.#count += 1
    const generation = `test-${this.#count}`
    const answer = await this.nginx.control("POST", "/configuration/changes", { base, generation, ...change })
    if (answer.status === 201) this.#generation = generation
    return answer
  }

  /** Posts a change that has to be applied, all of it. */
  async apply(change: Change): Promise<void> {
    const { status, body } = await this.post(change)
    if (status !== 201 || body.includes('"skipped":'))
      throw new Error(`The change was answered ${status}: ${body}`)
  }

  /** How often, over all workers, the filter faulted, and how often nginx chose an endpoint because the filter could not. */
  async counters(): Promise<{ faults: number; fallbacks: number }> {
    return (await this.nginx.get("/counters")).json() as { faults: number; fallbacks: number }
  }

  /** How full the zones are, by their names. */
  async zones(): Promise<Readonly<Record<string, ZoneFill>>> {
    const zones = (await this.nginx.get("/zones")).json() as ZoneFill[]
    return Object.fromEntries(zones.map((zone) => [zone.name, zone]))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.nginx.stop()
  }
}

export async function startPlane(options: PlaneOptions = {}): Promise<Plane> {
  return new Plane(await startNginx(planeConf(options), { ports: 1 + (options.morePorts?.count ?? 0) }))
}

/** A backend of the control API. */
export function backend(name: string, endpoints: readonly { readonly endpoint: object }[]): object {
  return { name, endpoints: endpoints.map(({ endpoint }) => endpoint) }
}

/** A host of the control API whose only route sends everything to one backend. */
export function host(name: string, backendName: string, more: object = {}): object {
  return {
    host: name,
    routes: [{ path: "/", match: "prefix", location: "location-plain", backend: backendName, ...more }],
  }
}

/**
 * Every answer of the named location names its worker in `x-worker`, and in `x-tried` the endpoints that the request has tried, with
 * commas between. `reuseport` lets the kernel spread connections over all workers.
 */
export function planeConf(options: PlaneOptions): WriteConf {
  const tries = options.tries ?? 3
  return ({ port, ports, socket, modules }) => ({
    workers: options.workers ?? 4,
    main: `
load_module ${modules}/ngx_http_wasm_module.so;
load_module ${modules}/ngx_http_ingress_module.so;
wasm {
  ${patientWithFilters}
  module balancer ${options.balancer ?? balancerFile};
  compilation_cache ${compiledDir(options.balancer ?? balancerFile)};
  shm_kv backends ${options.backendsZone ?? "16m"} slots=65536 processes=${options.processes ?? 256};
  shm_kv routes ${options.routesZone ?? "16m"};
  shm_kv certificates ${options.certificatesZone ?? "16m"};
  shm_kv passthroughs 1m;
  ${options.inWasm ?? ""}
}`,
    http: `
${options.inHttp ?? ""}
upstream upstream_balancer {
  server 0.0.0.1;
  wasm_upstream_select max_tries=${tries} key=$proxy_upstream_name fallback=backends/$proxy_upstream_name keepalive=64;
}
server {
  listen unix:${socket};
  client_max_body_size 1m;
  client_body_buffer_size 1m;
  location /configuration {
    proxy_wasm balancer 'role=control';
    return 404;
  }
}
server {
  listen 127.0.0.1:${port} reuseport;
  ${options.morePorts?.listen(ports.slice(1)) ?? ""}
  location = /plain { return 200 $pid; }
  location = /zones { return 200 $wasm_zones; }
  location = /counters { return 200 '{"faults": $wasm_faults, "fallbacks": $wasm_fallbacks}'; }
  location / {
    ingress_route routes ${options.routeParameters?.(port) ?? ""};
    client_max_body_size 0;
  }
  location @location-plain {
    ${options.inLocation ?? ""}
    proxy_wasm balancer;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries ${tries};
    add_header x-worker $pid always;
    add_header x-tried $upstream_addr always;
    proxy_pass http://upstream_balancer;
  }
  ${options.inServer ?? ""}
}`,
  })
}
