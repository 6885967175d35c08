// A real nginx with the Wasm module and the probe filter.

import { compiledDir } from "../../../../harness/compiled.ts"
import {
  type Nginx,
  type NginxOptions,
  type Site,
  startNginx,
  type WriteConf,
} from "../../../../harness/nginx.ts"
import { streamModule } from "../../../../harness/stream-module.ts"
import { patientWithFilters } from "../../../../harness/until.ts"
import { filter } from "./filters.ts"

export interface HostConf {
  /** Further directives of `wasm { }`; the module `probe` and the zone `backends` are there. */
  readonly wasm?: string
  /** Directives of `http { }` outside of the server. */
  readonly http?: string
  /** Directives of the server on `site.port`. */
  readonly server: string
  /** Directives of `stream { }`; absent: the stream module is not loaded. */
  readonly stream?: string
  readonly workers?: number
  readonly main?: string
}

/** The configuration of a server whose locations may say `proxy_wasm probe '…'`. */
export async function hostConf(conf: (site: Site) => HostConf): Promise<WriteConf> {
  const [probe, rotate] = [await filter("probe"), await filter("rotate")]
  return (site) => {
    const { wasm, http, server, stream, workers, main } = conf(site)
    return {
      workers: workers ?? 1,
      main: `
load_module ${site.modules}/ngx_http_wasm_module.so;
${stream === undefined ? "" : `load_module ${streamModule};`}
${main ?? ""}
wasm {
  ${patientWithFilters}
  module probe ${probe};
  module rotate ${rotate};
  compilation_cache ${compiledDir("host")};
  shm_kv backends 1m;
  ${wasm ?? ""}
}
${stream === undefined ? "" : `stream { ${stream} }`}`,
      http: `
log_format outcome '$status $upstream_addr $upstream_status $body_bytes_sent';
${http ?? ""}
server {
  listen 127.0.0.1:${site.port} reuseport;
  location = /counters { return 200 "$wasm_faults $wasm_fallbacks $wasm_instances"; }
  ${server}
}`,
    }
  }
}

export async function startHost(conf: (site: Site) => HostConf, options?: NginxOptions): Promise<Nginx> {
  return startNginx(await hostConf(conf), options)
}

/** What a probe with the given script answers, for a location that answers from it. */
export function location(path: string, script: string): string {
  return `location ${path} { proxy_wasm probe '${script}'; return 404; }\n`
}

/** A location that proxies to the upstream `chosen` with the given probe script. */
export function proxied(path: string, script: string, more = ""): string {
  return `location ${path} { proxy_wasm probe '${script}'; proxy_http_version 1.1; proxy_set_header Connection ""; ${more} proxy_pass http://chosen; }\n`
}

/** The log lines of a probe's `trace` and `say`, in order: `headers 5 1`, `report …`. */
export function traces(nginx: Nginx): string[] {
  return [...nginx.errorLog().matchAll(/\] ((?:trace|report) [^\n]*?)(?: while |, client:|\n)/g)].map(
    (match) => (match[1] ?? "").replace(/^trace /, "").trim(),
  )
}

export async function counters(
  nginx: Nginx,
): Promise<{ faults: number; fallbacks: number; instances: number }> {
  const { body } = await nginx.get("/counters")
  const [faults = 0, fallbacks = 0, instances = 0] = body.trim().split(" ").map(Number)
  return { faults, fallbacks, instances }
}
