import { readFileSync } from "node:fs"
import { Chains } from "./aia/chains.ts"
import { Fetcher } from "./aia/fetch.ts"
import { Issuers } from "./aia/issuers.ts"
import { mentionsIn } from "./annotations/mentions.ts"
import type { ServiceAddress } from "./cluster/connect/service-account.ts"
import { Recorder } from "./events/recorder.ts"
import { manifestProvider } from "./manifests/provider.ts"
import type { Fixed } from "./model/model.ts"
import { Dns } from "./names/dns.ts"
import { Names } from "./names/names.ts"
import { parseResolvConf } from "./names/resolv-conf.ts"
import { accessLogPath } from "./nginx/access-log.ts"
import { ControlClient } from "./nginx/client.ts"
import { Control } from "./nginx/control.ts"
import { provideDefaultCertificate } from "./nginx/default-certificate.ts"
import { Delivery } from "./nginx/delivery.ts"
import { Driver } from "./nginx/driver.ts"
import { type Layout, prepareRuntimeDir, readFixed, readSecretFile } from "./nginx/files.ts"
import { findInstallation, type Installation } from "./nginx/installation.ts"
import { KeptFiles } from "./nginx/kept-files.ts"
import { lock } from "./nginx/lock.ts"
import { hasIpv6, readMachine } from "./nginx/machine.ts"
import { Patterns } from "./nginx/patterns.ts"
import { checkPorts, type Listener } from "./nginx/ports.ts"
import { haveOrphans } from "./nginx/process.ts"
import { hasHttp2Directive, nginxVersion } from "./nginx/version.ts"
import { qualifiedName } from "./objects/object.ts"
import { Health } from "./observe/health.ts"
import type { Log } from "./observe/log.ts"
import { type Build, createMetrics, type Identity, type Metrics } from "./observe/metrics.ts"
import { ProblemReport } from "./observe/report.ts"
import { startObserveServer } from "./observe/server.ts"
import { Stapling } from "./ocsp/stapling.ts"
import type { Options } from "./options/flags.ts"
import { mentionsInSettings } from "./options/mentions.ts"
import type { Provider } from "./provider/provider.ts"
import { Queue } from "./queue/queue.ts"
import { type Conf, loadRender, type Paths } from "./render/render.ts"
import { Secrets } from "./secrets/secrets.ts"
import { keepStatus, type Status } from "./status/status.ts"
import { Store } from "./store/store.ts"
import { aborted, sleep } from "./support/abort.ts"
import { Failure } from "./support/failure.ts"
import { RateLimit } from "./support/rate-limit.ts"
import { Feed } from "./sync/feed.ts"
import { TicketKeys } from "./sync/ticket-keys.ts"
import { Sync } from "./sync.ts"
import { translateOptions } from "./translate/translate.ts"

// Builds the parts, starts them in the order in which changes pass through them, and stops them the other way round.

/** What the process gives: nothing here asks the environment. */
export interface World {
  readonly options: Options
  readonly log: Log
  readonly build: Build
  readonly identity: Identity
  /** where Kubernetes tells a Pod that the API server is; "" outside of a cluster */
  readonly service: ServiceAddress
  /** asks for an orderly end: nginx answers what it has begun */
  readonly stop: AbortSignal
  /** asks for the end at once */
  readonly stopNow: AbortSignal
}

/** Where this controller works, and with what. */
interface Place {
  readonly layout: Layout
  readonly installation: Installation
}

/** What the parts tell each other besides changes. */
interface Wires {
  readonly metrics: Metrics
  /** aborts when everything is to come to rest */
  readonly signal: AbortSignal
  /** nginx's master died */
  readonly died: (how: string) => void
}

/**
 * Runs the controller until `stop` aborts and nginx has ended.
 *
 * @throws Failure when it cannot start. Whatever it throws, an nginx that serves is left alone: the next controller takes it over
 */
export async function run(world: World): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { options, log, identity } = world
  const working = new AbortController()
  const { signal } = working
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>()
  const metrics = createMetrics(identity, world.build, options.enableMetrics)
  const place = await takePlace(options, stack)

  const died = (how: string) => {
    metrics.nginxRestarted()
    log.error({ how }, "nginx died")
    queue.request()
  }
  const failed = (error: unknown, retryMs: number) => {
    metrics.passFailed()
    // A bug, or a start that cannot succeed; once nginx has served, everything is tried again.
    if (!(error instanceof Failure) || !nginx.driver.hasServed) return breakOff(error)
    log.error({ code: error.code, detail: error.message, retryMs: Math.round(retryMs) }, "Pass failed")
  }
  const { promise: built, resolve: begin } = Promise.withResolvers<void>()
  const pass = async () => {
    await built
    if (await feed.settled()) await sync.pass()
  }
  const queue = new Queue({ pass, failed, signal })
  const nginx = await takeNginx(options, place, { metrics, signal, died }, stack)
  const health = await observe(options, nginx.driver, metrics, stack)
  const provider = await openProvider(world, metrics)
  if (provider === undefined) return nginx.driver.stop(world.stopNow)
  stack.defer(() => provider.close())
  const pod = { namespace: identity.namespace, name: identity.pod }
  const store = new Store({
    ...options,
    pod,
    readsClasses: provider.readsClasses,
    reportsUnclaimed: options.manifests !== "",
    mentionsOf: (ingress) => mentionsIn(ingress, options.annotationsPrefix),
    mentionsOfSettings: mentionsInSettings,
  })
  const dns = new Dns(options.resolvConf)
  const fetching: Fetching = {
    fetcher: new Fetcher({ dns, hasIpv6: hasIpv6(), allowLoopback: options.manifests !== "", signal }),
    changed: () => queue.request(),
    signal,
    log,
  }
  const sync = new Sync({
    store,
    names: new Names({ dns, hasIpv6: hasIpv6(), changed: () => queue.request(), signal }),
    stapling: await takeStapling(place, fetching),
    secrets: await takeSecrets(options, place, fetching),
    delivery: nginx.delivery,
    check: nginx.check,
    ticketKeys: new TicketKeys({
      lastFixed: () => readFixed(place.layout),
      read: (name) => readSecretFile(place.layout, name),
    }),
    translateOptions: translateOptions(options),
    configmap: options.configmap,
    healthPath: options.healthCheckPath,
    hasBrotli: place.installation.brotli.length > 0,
    rateLimit: new RateLimit(options.syncRateLimit, 1),
    passIn: (delayMs) => queue.requestIn(delayMs),
    report: new ProblemReport(log),
    recorder: recorderOf(options, provider),
    health,
    metrics,
    log,
  })
  const rest = async () => {
    working.abort()
    await queue.idle()
  }
  stack.defer(rest)
  const status = keepStatus({
    options,
    pod,
    provider,
    snapshot: () => store.snapshot(),
    failed: breakOff,
    log,
  })
  stack.defer(() => status.stop())
  const feed = new Feed({
    source: provider.source,
    store,
    touched: () => queue.request(),
    changed: () => status.changed(),
    signal,
  })
  feed.run().catch(breakOff)
  begin()

  await Promise.race([aborted(world.stop), broken])
  log.info("Stopping")
  health.stopping()
  await sleep(options.shutdownGracePeriod * 1000, world.stopNow)
  await Promise.all([rest(), status.stop()])
  // nginx lets requests end meanwhile: the API server may be slow, or gone
  await Promise.all([leave(status, provider, world.stopNow), nginx.driver.stop(world.stopNow)])
  await sleep(options.postShutdownGracePeriod * 1000, world.stopNow)
}

/** The last words to the cluster; who takes over need not wait for nginx. */
async function leave(status: Status, provider: Provider, stopNow: AbortSignal): Promise<void> {
  await status.withdraw(stopNow)
  await provider.close()
}

function recorderOf(options: Options, { events, leadership, pod }: Provider): Recorder {
  const { configmap, tcpServicesConfigmap, udpServicesConfigmap } = options
  return new Recorder({
    sink: events,
    leadership,
    pod,
    configMaps: [configmap, tcpServicesConfigmap, udpServicesConfigmap].flatMap((named) =>
      named ? [qualifiedName(named)] : [],
    ),
    isQuiet: options.disableSyncEvents,
    isLog: options.manifests !== "",
  })
}

/** @returns undefined when an end was asked for meanwhile */
async function openProvider(world: World, metrics: Metrics): Promise<Provider | undefined> {
  const { options, log, stop, build } = world
  if (options.manifests !== "") return manifestProvider(options.manifests, log)
  // half of what the controller loads is of no use to manifests
  const { openCluster } = await import("./cluster/cluster.ts")
  try {
    return await openCluster({ ...world, release: build.release, metrics }, stop)
  } catch (error) {
    if (stop.aborted) return undefined
    throw error
  }
}

async function takePlace(options: Options, stack: AsyncDisposableStack): Promise<Place> {
  const installation = await findInstallation(options)
  const layout = await prepareRuntimeDir(options.runtimeDir)
  stack.defer(await lock(layout))
  await provideDefaultCertificate(layout, Date.now())
  return { layout, installation }
}

/** Takes over the nginx that runs here, or makes sure that one can be started. */
async function takeNginx(
  options: Options,
  { layout, installation }: Place,
  { metrics, signal, died }: Wires,
  stack: AsyncDisposableStack,
) {
  const client = new ControlClient(layout.controlSocket)
  stack.defer(() => client.close())
  const driver = new Driver({ binary: installation.nginx, layout, client, died, signal })
  const print = loadRender()
  const site = {
    ...readMachine(),
    nameServers: nameServersIn(options.resolvConf),
    hasHttp2Directive: hasHttp2Directive(await nginxVersion(installation.nginx)),
  }
  const render = (fixed: Fixed, isServing: boolean): Conf => {
    const paths = pathsOf(layout, installation, driver.masterPid !== undefined)
    return print(fixed, { ...site, paths }, isServing)
  }
  const control = new Control({ client, metrics })
  const delivery = new Delivery({ driver, control, patterns: new Patterns(client), layout, render })
  // Workers of a dead master hold the ports, and serve until there is a new one.
  const isTaken = (await delivery.adopt()) || (await haveOrphans(layout))
  if (!isTaken) await checkPorts(listeners(options))
  return { driver, delivery, check: (fixed: Fixed) => driver.check(render(fixed, true)) }
}

/** What certificates lead to is fetched, and kept for the next start. */
interface Fetching {
  readonly fetcher: Fetcher
  readonly changed: () => void
  readonly signal: AbortSignal
  readonly log: Log
}

/** What was stapled before this start is stapled again at once. */
async function takeStapling({ layout }: Place, { log, ...options }: Fetching): Promise<Stapling> {
  const keeper = new KeptFiles(layout.staples, notKept(log))
  return new Stapling({ ...options, keeper, kept: await keeper.read() })
}

async function takeSecrets(
  { enableSslChainCompletion }: Options,
  { layout }: Place,
  { log, ...options }: Fetching,
): Promise<Pick<Secrets, "read" | "states">> {
  const { changed, signal } = options
  const secrets = new Secrets({ now: Date.now, changed, signal })
  if (!enableSslChainCompletion) return secrets
  const keeper = new KeptFiles(layout.issuers, notKept(log))
  const chains = new Chains(new Issuers({ ...options, keeper, kept: await keeper.read() }))
  return {
    read: async (objects) => {
      await secrets.read(objects)
      await chains.complete(secrets.states())
    },
    states: () => chains.states(),
  }
}

function notKept(log: Log): (error: unknown) => void {
  return (err) => log.warn({ err }, "Cannot keep for the next start what certificates lead to")
}

/** None where there is no such file: then nginx looks no names up. */
function nameServersIn(resolvConf: string): readonly string[] {
  try {
    return parseResolvConf(readFileSync(resolvConf, "utf8")).servers
  } catch {
    return []
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

/** Serves health and metrics, of nginx too. */
async function observe(
  options: Options,
  driver: Driver,
  metrics: Metrics,
  stack: AsyncDisposableStack,
): Promise<Health> {
  const masterPid = () => driver.masterPid
  metrics.observeNginx({ statusUrl: `http://127.0.0.1:${options.statusPort}/nginx_status`, masterPid })
  const health = new Health(() => masterPid() !== undefined)
  const { healthzHost: host, healthzPort: port, healthCheckPath: healthPath } = options
  const server = await startObserveServer({ host, port, healthPath, health, metrics })
  stack.defer(() => server.close())
  return health
}

function pathsOf(layout: Layout, installation: Installation, isRunning: boolean): Paths {
  return {
    wasmModule: installation.wasmModule,
    ingressModule: installation.ingressModule,
    ...(installation.streamModule !== undefined && { streamModule: installation.streamModule }),
    brotliModules: installation.brotli,
    balancer: installation.balancer,
    pid: layout.pid,
    controlSocket: layout.controlSocket,
    secrets: layout.secrets,
    explainSocket: layout.explainSocket,
    explainTlsSocket: layout.explainTlsSocket,
    passthroughSocket: layout.passthroughSocket,
    temp: layout.temp,
    certificate: layout.certificate,
    certificateKey: layout.certificateKey,
    accessLog: accessLogPath(layout, isRunning),
  }
}
