import { resolve } from "node:path"
import type { Options } from "../core/options/flags.ts"
import { requestMetrics } from "../core/options/request-metrics.ts"
import type { Identity } from "../model/identity.ts"
import type { Fixed } from "../model/model.ts"
import { ControlClient } from "../output/control/client.ts"
import { Control } from "../output/control/control.ts"
import {
  readFilterCounters,
  readPolicyCounters,
  readShortages,
  readZones,
} from "../output/control/counters.ts"
import { endpointPages, readEndpointCounts } from "../output/control/endpoint-counts.ts"
import { backendStates, readBackendState } from "../output/control/endpoint-states.ts"
import { Patterns } from "../output/control/patterns.ts"
import { requestCountPages } from "../output/control/request-counts.ts"
import { RequestSeries } from "../output/control/request-series.ts"
import { roomsIn } from "../output/control/shares/room.ts"
import { Shares } from "../output/control/shares/shares.ts"
import { SpanRing } from "../output/control/span-ring.ts"
import { ZoneGrowth } from "../output/control/zone-growth.ts"
import { accessLogPath } from "../output/nginx/access-log.ts"
import { Build } from "../output/nginx/build.ts"
import { provideDefaultCertificate } from "../output/nginx/default-certificate.ts"
import { Delivery } from "../output/nginx/delivery.ts"
import { Driver } from "../output/nginx/driver.ts"
import { type Layout, prepareRuntimeDir } from "../output/nginx/files.ts"
import { findInstallation, type Installation } from "../output/nginx/installation.ts"
import { lock } from "../output/nginx/lock.ts"
import { readMachine } from "../output/nginx/machine.ts"
import { checkPorts, type Listener } from "../output/nginx/ports.ts"
import { haveOrphans } from "../output/nginx/process.ts"
import { hasHttp2Directive, nginxVersion } from "../output/nginx/version.ts"
import { type Conf, loadRender, type Paths, type Stage } from "../output/render/render.ts"
import type { GrownZones, Sockets } from "../output/render/site.ts"
import { maxZoneSize, zoneSizes } from "../output/render/zone-sizes.ts"
import type { ReloadHistory } from "../report/history/reload-history.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import type { Failure } from "../support/failure.ts"
import type { Log } from "../support/log.ts"

/** Where this controller works, and with what. */
export interface Place {
  readonly layout: Layout
  readonly installation: Installation
}

/** What the parts tell each other besides changes. */
export interface Wires {
  readonly identity: Identity
  readonly metrics: Metrics
  readonly reloads: Pick<ReloadHistory, "reloaded" | "failed">
  readonly log: Pick<Log, "info" | "error">
  /** aborts when everything is to come to rest */
  readonly signal: AbortSignal
  /** nginx's master died */
  readonly died: (how: string) => void
}

export async function takePlace(options: Options, stack: AsyncDisposableStack): Promise<Place> {
  const installation = await findInstallation(options)
  const layout = await prepareRuntimeDir(options.runtimeDir)
  stack.defer(await lock(layout))
  await provideDefaultCertificate(layout, Date.now())
  return { layout, installation }
}

/** Takes over the nginx that runs here, or makes sure that one can be started. */
export async function takeNginx(
  options: Options,
  { layout, installation }: Place,
  { identity, metrics, reloads, log, signal, died }: Wires,
  stack: AsyncDisposableStack,
) {
  const build = await Build.of(installation)
  const client = new ControlClient(layout.sockets.control)
  stack.defer(() => client.close())
  const driver = new Driver({
    binary: installation.nginx,
    build,
    layout,
    client,
    died,
    signal,
  })
  const print = loadRender()
  const counted = requestMetrics(options, identity)
  const version = await nginxVersion(installation.nginx)
  const site = {
    ...readMachine(),
    ...(counted !== undefined && { metrics: counted }),
    hasHttp2Directive: hasHttp2Directive(version),
  }
  const zones = new ZoneGrowth(client)
  const hidden = hiddenPaths(options)
  const render = (fixed: Fixed, stage: Stage): Conf => {
    const sockets = stage === "holding" ? layout.nextSockets : layout.sockets
    const paths = { ...pathsOf(layout, sockets, installation, driver.masterPid !== undefined), hidden }
    return print(fixed, { ...site, build: build.id, paths, grownZones: zones.grown }, stage)
  }
  const control = new Control({ client, metrics })
  const reloadedFor = (reason: string) => {
    metrics.reloadedFor([reason])
    reloads.reloaded([reason])
  }
  const grew = (larger: GrownZones, failure?: Failure) => {
    if (failure === undefined) {
      reloadedFor("zones are nearly full")
      log.info({ zones: larger }, "Zones of shared memory have grown")
    } else {
      reloads.failed(["zones are nearly full"], failure.message)
      log.error({ zones: larger, detail: failure.message }, "Zones of shared memory cannot grow")
    }
  }
  const patterns = new Patterns(client)
  const largest = ({ http }: Fixed) => maxZoneSize(http.processes, site.memoryBytes)
  const shares = new Shares((fixed) =>
    roomsIn(zones.largest(zoneSizes(fixed.http.processes, site.memoryBytes), largest(fixed))),
  )
  metrics.observeNamespaces(() => shares.uses())
  const delivery = new Delivery({
    ...{ driver, control, patterns, build, layout, zones, shares, grew, render },
    renewed: () => reloadedFor("many numbers of routes"),
    closedForRoom: (routes) => metrics.closedForRoom(routes),
    maxZoneSize: largest,
  })
  // Workers of a dead master hold the ports, and serve until there is a new one.
  const isTaken = (await delivery.adopt()) || (await haveOrphans(layout))
  if (!isTaken) await checkPorts(listeners(options))
  const zoneFill = () => readZones(client)
  const filterCounters = () => readFilterCounters(client)
  metrics.observeZones(zoneFill, () => readShortages(client))
  metrics.observeFilter(filterCounters)
  const policyCounters = () => readPolicyCounters(client)
  metrics.observePolicies(policyCounters)
  const requestSeries = new RequestSeries(client)
  if (counted !== undefined) metrics.observeRequests((format) => requestSeries.pages(format))
  if (counted?.perEndpoint)
    metrics.observeEndpoints(
      (format) => endpointPages(client, format),
      () => backendStates(client),
    )
  const endpoints = async (backend: string) => {
    const [counts, state] = await Promise.all([
      readEndpointCounts(client, backend).catch(() => undefined),
      readBackendState(client, backend).catch(() => undefined),
    ])
    return { counts, state }
  }
  return {
    driver,
    delivery,
    endpoints,
    requestCounts: () => requestCountPages(client),
    build: build.id,
    requestSeries: counted && requestSeries,
    spanRing: new SpanRing(client),
    policyCounters,
    filterCounters,
    zoneFill,
    namespaceUse: () => shares.uses(),
    version: version.join("."),
    check: (fixed: Fixed) => driver.check(render(fixed, "serving")),
  }
}

function listeners({ httpPort, httpsPort, statusPort, defaultServerPort }: Options): readonly Listener[] {
  return [
    { host: "0.0.0.0", port: httpPort, flag: "--http-port" },
    { host: "0.0.0.0", port: httpsPort, flag: "--https-port" },
    { host: "0.0.0.0", port: defaultServerPort, flag: "--default-server-port" },
    { host: "127.0.0.1", port: statusPort, flag: "--status-port" },
  ]
}

function pathsOf(
  layout: Layout,
  sockets: Sockets,
  installation: Installation,
  isRunning: boolean,
): Omit<Paths, "hidden"> {
  return {
    wasmModule: installation.wasmModule,
    ingressModule: installation.ingressModule,
    ...(installation.streamModule !== undefined && { streamModule: installation.streamModule }),
    brotliModules: installation.brotli,
    balancer: installation.balancer,
    compiled: layout.compiled,
    policies: layout.policies,
    pid: layout.pid,
    sockets,
    secrets: layout.secrets,
    temp: layout.temp,
    certificate: layout.certificate,
    certificateKey: layout.certificateKey,
    accessLog: accessLogPath(layout, isRunning),
  }
}

/** What lets the controller in at the API server, and the key of its webhook where ingress-nginx's chart mounts it. */
function hiddenPaths({ kubeconfig }: Options): readonly string[] {
  const own = kubeconfig === "" ? [] : [resolve(kubeconfig)]
  return ["/var/run/secrets", "/usr/local/certificates", ...own]
}
