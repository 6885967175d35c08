// nginx as people run it: the configuration that the controller renders for one Ingress, and beside it what somebody would write by hand to do the same.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Settings } from "../../controller/core/options/settings.ts"
import { liveChange } from "../../controller/core/plan/change.ts"
import { translate } from "../../controller/core/translate/translate.ts"
import { noFacts } from "../../controller/model/facts.ts"
import { emptyLive, type Model } from "../../controller/model/model.ts"
import type { ConfigMap } from "../../controller/model/objects/config-map.ts"
import type { RequestMetrics } from "../../controller/model/request-metrics.ts"
import { ControlClient } from "../../controller/output/control/client.ts"
import { Control } from "../../controller/output/control/control.ts"
import { provideDefaultCertificate } from "../../controller/output/nginx/default-certificate.ts"
import { type Layout, prepareRuntimeDir } from "../../controller/output/nginx/files.ts"
import { findInstallation, type Installation } from "../../controller/output/nginx/installation.ts"
import { loadRender } from "../../controller/output/render/render.ts"
import { ask } from "../../harness/http.ts"
import type { Json } from "../../harness/manifests.ts"
import {
  settings as defaults,
  ingress,
  meta,
  options,
  secret,
  service,
  slice,
  snapshot,
} from "../../harness/objects.ts"
import { slowHash } from "../../harness/passwords.ts"
import { freeListeners } from "../../harness/ports.ts"
import { until } from "../../harness/until.ts"
import { gatewayOf, gatewayOptions } from "./rendered-route.ts"

/** Under valgrind the filter is compiled fifty times as slowly. */
const compilingMs = 10 * 60_000

/** As by default. */
const counted = {
  identity: { controllerClass: "k8s.io/ingress-nginx", namespace: "ingress-nginx", pod: "wick" },
  perHost: true,
  undefinedHosts: false,
  perEndpoint: false,
  statusClasses: false,
  leftOut: [],
  timeBuckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  lengthBuckets: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
  sizeBuckets: [10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000],
}

function metricsOf(counts: SiteOptions["counts"]): RequestMetrics {
  return {
    ...counted,
    perEndpoint: counts === "endpoints",
    ...(counts === "native" && { native: { factor: 1.1, maxBuckets: 100 } }),
  }
}

export const hostName = "shop.test"

/** Who answers. `rendered`: what the controller prints. `by-hand`: its headers and maps in a location of plain nginx. `bare`: the same without them. */
export type Kind = "rendered" | "by-hand" | "bare"

export interface SiteOptions {
  readonly kind: Kind
  /** of the Ingress, without prefix */
  readonly annotations: Readonly<Record<string, string>>
  /** of an HTTPRoute, which is there in the place of the Ingress; without backends */
  readonly rule?: Json | undefined
  /** in the place of those that keys have by default */
  readonly settings?: Partial<Settings>
  /** counts requests; `native`: in native histograms, too; `endpoints`: attempts by endpoint */
  readonly counts?: boolean | "endpoints" | "native"
  /** address:port each */
  readonly endpoints: readonly string[]
  /** runs nginx, as one process, under another program */
  readonly under: readonly string[]
  /** folder of other modules than those in out/modules */
  readonly modules?: string
}

export interface RenderedSite {
  readonly port: number
  /** of the process that serves, or of the program that it runs under */
  readonly pid: number
  /** of what the controller renders */
  readonly controlSocket?: string
  stop(): Promise<void>
}

export async function startRendered({
  kind,
  annotations,
  rule,
  settings = {},
  counts = false,
  endpoints,
  under,
  modules = "",
}: SiteOptions): Promise<RenderedSite> {
  const dir = mkdtempSync(join(tmpdir(), "wick-rendered-"))
  const layout = await prepareRuntimeDir(dir)
  await provideDefaultCertificate(layout, Date.now())
  const installation = await findInstallation({
    nginx: "",
    module: modules,
    balancer: "",
    enableSslPassthrough: false,
  })
  const listeners = await freeListeners()
  const ports = {
    httpPort: listeners.http,
    httpsPort: listeners.https,
    statusPort: listeners.status,
    defaultServerPort: listeners.defaultServer,
  }
  const model = modelOf({ annotations, rule, endpoints, settings }, ports)
  const text = printed(model, layout, installation, counts)
  writeFileSync(
    layout.conf,
    kind === "rendered" ? text : byHand(text, listeners.http, endpoints, kind === "by-hand"),
  )
  const [program = installation.nginx, ...args] = [...under, installation.nginx]
  const place = ["-c", layout.conf, "-p", dir, "-e", join(dir, "error.log"), "-g", "master_process off;"]
  const child = spawn(program, [...args, ...place], { stdio: "ignore" })
  await until("nginx to answer", () => isAnswering(listeners.http, child), compilingMs)
  if (kind === "rendered") await fill(model, layout.sockets.control)
  return {
    port: listeners.http,
    pid: child.pid ?? 0,
    ...(kind === "rendered" && { controlSocket: layout.sockets.control }),
    async stop() {
      child.kill("SIGQUIT")
      if (child.exitCode === null) await once(child, "exit")
      rmSync(dir, { recursive: true })
    },
  }
}

/** nginx.conf as the controller has it. */
function printed(
  { fixed }: Model,
  layout: Layout,
  installation: Installation,
  counts: NonNullable<SiteOptions["counts"]>,
): string {
  return loadRender()(fixed, {
    paths: {
      ...layout,
      ...installation,
      brotliModules: [],
      zstdModules: [],
      ruleSets: [layout.modsecurity],
      hidden: ["/var/run/secrets"],
      accessLog: join(layout.dir, "access.log"),
    },
    build: "bench",
    processors: 1,
    memoryBytes: Number.POSITIVE_INFINITY,
    openFiles: 20_000,
    backlog: 511,
    hasIpv6: false,
    hasHttp2Directive: false,
    ...(counts && { metrics: metricsOf(counts) }),
  }).text
}

/** The value of `custom-headers` that sets one header of responses; a setting has to allow that. */
const customHeader: ConfigMap = {
  kind: "ConfigMap",
  meta: meta("shop/headers"),
  data: { "X-One": "value" },
}

/** @throws Error when an object is not served as it is meant */
function modelOf(
  {
    annotations,
    rule,
    endpoints,
    settings: own,
  }: Pick<SiteOptions, "annotations" | "rule" | "endpoints" | "settings">,
  ports: typeof options.ports,
): Model {
  const [, port = ""] = endpoints[0]?.split(":") ?? []
  const addresses = endpoints.map((endpoint) => endpoint.split(":")[0] ?? "")
  const objects = snapshot(
    ...(rule === undefined ? [ingress("shop/web", `${hostName}/ → web:80`, annotations)] : []),
    service("shop/web", `80>${port}`),
    slice("shop/web", addresses, port),
    customHeader,
  )
  const secrets = new Map([["shop/users", secret("shop/users", { auth: `ada:${slowHash}` })]])
  const translation = {
    ...options,
    ports,
    gateway: gatewayOptions(ports.httpPort, ports.httpsPort),
    endpoints: { allowLoopback: true, ownPorts: new Set<number>(), ownAddresses: new Set<string>() },
  }
  const gateway = rule && { gateway: gatewayOf(hostName, rule, ports.httpPort) }
  const world = { ...objects, secrets, ...gateway }
  const { model, problems } = translate(
    world,
    { ...noFacts, ...objects },
    { ...defaults, workerProcesses: 1, ...own },
    translation,
  )
  const [problem] = problems
  if (problem !== undefined) throw new Error(JSON.stringify(problem))
  return model
}

async function fill({ live }: Model, socket: string): Promise<void> {
  const client = new ControlClient(socket)
  const control = new Control({ client, events: { posted() {} } })
  const { refusals } = await control.apply(emptyLive, live, liveChange(emptyLive, live))
  client.close()
  if (refusals.length > 0) throw new Error(`nginx refuses ${JSON.stringify(refusals)}`)
}

async function isAnswering(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
  return (await ask({ port }, {}).catch(() => undefined)) !== undefined
}

/** The rendered configuration up to its upstream, without our modules; then one server with one location. */
function byHand(text: string, port: number, endpoints: readonly string[], hasHeaders: boolean): string {
  const values: Readonly<Record<string, string>> = {
    $route_upstream_vhost: "$best_http_host",
    $route_connection: "$connection_upgrade",
    $route_forwarded_prefix: "$http_x_forwarded_prefix",
    $route_access_log: "$loggable",
  }
  const plain = text.replaceAll(/\$route_\w+/g, (name) => values[name] ?? '""')
  const head = plain
    .slice(0, plain.indexOf("    upstream upstream_balancer {"))
    .replaceAll(/^load_module .*\n/gm, "")
    .replace(/^wasm \{[\s\S]*?^\}\n/m, "")
    // Who writes by hand has nginx's own format, and the condition that ingress-nginx has.
    .replace("log_format upstreaminfo escape=none $access_line;", (ours) => nginxFormat(plain) ?? ours)
    .replace("if=$request_logged", "if=$loggable")
    .replaceAll(/^ *ingress_.*\n/gm, "")
  // Of a location: other locations send other headers.
  const [location = ""] = /^( *)location @location-[\s\S]*?^\1\}/m.exec(plain) ?? []
  const headers = location.match(/^ *proxy_set_header .*$/gm) ?? []
  const kept = ["proxy_set_header Host $http_host;", 'proxy_set_header Connection "";']
  return `${head}
    map $namespace $loggable { default 1; 0 0; }
    upstream upstream_balancer {
${endpoints.map((endpoint) => `        server ${endpoint};`).join("\n")}
        keepalive 320;
        keepalive_requests 10000;
    }
    server {
        listen ${port} default_server reuseport;
        location / {
            set $namespace shop;
            set $ingress_name web;
            set $service_name web;
            set $service_port 80;
            set $location_path /;
            set $proxy_upstream_name shop-web-80;
            set $proxy_alternative_upstream_name "";
${(hasHeaders ? [...new Set(headers)] : kept).join("\n")}
            proxy_pass http://upstream_balancer;
        }
    }
}
`
}

function nginxFormat(text: string): string | undefined {
  return /ingress_log_line \$access_line (.*)$/m.exec(text)?.[1]?.replace(/^/, "log_format upstreaminfo ")
}
