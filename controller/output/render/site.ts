import type { ZoneName } from "../../model/http/processes.ts"
import type { RequestMetrics } from "../../model/request-metrics.ts"

export type { RequestMetrics }

/** What the machine and the installation contribute to nginx.conf: paths and figures that no Kubernetes object says. */
export interface Site {
  readonly paths: Paths
  /** what nginx, the modules and the filter are, see output/nginx/build.ts */
  readonly build: string
  /** the account that workers run as; absent when nginx itself has no right to change it */
  readonly user?: { readonly name: string; readonly group: string }
  /** how many workers `worker_processes auto` stands for: the processors this process may use */
  readonly processors: number
  /** bytes that the container may have; Infinity without a limit */
  readonly memoryBytes: number
  /** `worker_rlimit_nofile` */
  readonly openFiles: number
  /** `backlog` of the listeners: the kernel's limit */
  readonly backlog: number
  readonly hasIpv6: boolean
  /** what zones of shared memory have grown to; absent: they are as the settings say */
  readonly grownZones?: GrownZones
  /** absent: requests are not counted */
  readonly metrics?: RequestMetrics
  /** nginx has a directive for HTTP/2, from 1.25.1 on; before, it is a parameter of `listen` */
  readonly hasHttp2Directive: boolean
}

export type GrownZones = Readonly<Partial<Record<ZoneName, GrownZone>>>

export interface GrownZone {
  readonly bytes: number
  readonly slots: number
}

/** Absolute paths. */
export interface Paths {
  /** `ngx_http_wasm_module.so` */
  readonly wasmModule: string
  /** `ngx_http_ingress_module.so` */
  readonly ingressModule: string
  /** nginx's modules for brotli; none when they are not installed */
  readonly brotliModules: readonly string[]
  /** nginx's module for Zstandard; none when it is not installed */
  readonly zstdModules: readonly string[]
  /** nginx's types of files by their endings; absent: nginx knows three */
  readonly mimeTypes?: string
  /** nginx's stream module; absent: no TLS connection is passed through */
  readonly streamModule?: string
  /** `balancer.wasm` */
  readonly balancer: string
  /** folder in which nginx keeps compiled filters from one start to the next */
  readonly compiled: string
  /** folder of compiled balancing policies */
  readonly policies: string
  /** folder of rule sets of ModSecurity, and `library=PATH` where libmodsecurity is not that of the system */
  readonly ruleSets: readonly string[]
  /** folder of databases of GeoIP */
  readonly geoip: string
  readonly pid: string
  readonly sockets: Sockets
  /** folder of `Fixed.files` */
  readonly secrets: string
  /** folder of what nginx cannot keep in memory */
  readonly temp: string
  /** PEM files of the certificate for hosts that have none, and its key */
  readonly certificate: string
  readonly certificateKey: string
  /** what nginx derives from it says to clients of QUIC which of them it knows */
  readonly quicHostKey: string
  /** what workers must not read, nor what is below it */
  readonly hidden: readonly string[]
  /** `/dev/stdout`, or a pipe that leads there */
  readonly accessLog: string
}

/** The unix sockets that one nginx makes. Paths. */
export interface Sockets {
  /** of the control server */
  readonly control: string
  /** `wick explain` asks here, as a client that comes by HTTP or by HTTPS */
  readonly explain: string
  readonly explainTls: string
  /** where nginx hands TLS connections to its stream module: nobody connects */
  readonly passthrough: string
  /** of what ends TLS of streams; nobody connects there */
  readonly streamTls: string
}
