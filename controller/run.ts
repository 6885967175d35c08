import type { Fixed } from "./model/model.ts"
import { accessLogPath } from "./nginx/access-log.ts"
import { ControlClient } from "./nginx/client.ts"
import { Control } from "./nginx/control.ts"
import { Delivery } from "./nginx/delivery.ts"
import { Driver } from "./nginx/driver.ts"
import { type Layout, prepareRuntimeDir } from "./nginx/files.ts"
import { findInstallation, type Installation } from "./nginx/installation.ts"
import { lock } from "./nginx/lock.ts"
import { readMachine } from "./nginx/machine.ts"
import { checkPorts } from "./nginx/ports.ts"
import { endOrphans } from "./nginx/process.ts"
import { Health } from "./observe/health.ts"
import type { Log } from "./observe/log.ts"
import { type Build, createMetrics, type Identity, type Metrics } from "./observe/metrics.ts"
import { ProblemReport } from "./observe/report.ts"
import { startObserveServer } from "./observe/server.ts"
import type { Options } from "./options/flags.ts"
import { Queue } from "./queue/queue.ts"
import { RateLimit } from "./queue/rate-limit.ts"
import { type Conf, loadRender, type Paths } from "./render/render.ts"
import { Store } from "./store/store.ts"
import { aborted, sleep } from "./support/abort.ts"
import { Failure } from "./support/failure.ts"
import { Sync } from "./sync.ts"
import { translateOptions } from "./translate/translate.ts"
import { manifestSource } from "./watch/manifests.ts"
import type { Source } from "./watch/source.ts"

// Builds the parts, starts them in the order in which changes pass through them, and stops them the other way round.

/** What the process gives: nothing here asks the environment. */
export interface World {
  readonly options: Options
  readonly log: Log
  readonly build: Build
  readonly identity: Identity
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

/**
 * Runs the controller until `stop` aborts and nginx has ended.
 *
 * @throws Failure when it cannot start. Whatever it throws, an nginx that serves is left alone: the next controller takes it over
 */
export async function run(world: World): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { options, log } = world
  const working = new AbortController()
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>()
  const metrics = createMetrics(world.identity, world.build, options.enableMetrics)
  const place = await takePlace(options, stack)

  const failed = (error: unknown, retryMs: number) => {
    metrics.passFailed()
    if (!(error instanceof Failure) || !driver.hasServed) return breakOff(error)
    log.error({ code: error.code, detail: error.message, retryMs: Math.round(retryMs) }, "Pass failed")
  }
  const died = (how: string) => {
    metrics.nginxRestarted()
    log.error({ how }, "nginx died")
    queue.request()
  }
  const queue = new Queue({ pass: () => sync.pass(), failed, signal: working.signal })
  const client = new ControlClient(place.layout.controlSocket)
  stack.defer(() => client.close())
  const driver = new Driver({
    binary: place.installation.nginx,
    layout: place.layout,
    client,
    died,
    signal: working.signal,
  })
  const health = await observe(world, driver, metrics, stack)
  const { delivery, render } = await takeNginx(options, place, driver, client, metrics, working.signal)
  const store = new Store({ ...options, reportsUnclaimed: options.manifests !== "" })
  const sync = new Sync({
    store,
    delivery,
    check: (fixed) => driver.check(render(fixed)),
    translateOptions: translateOptions(options),
    configmap: options.configmap,
    healthPath: options.healthCheckPath,
    rateLimit: new RateLimit(options.syncRateLimit, 1),
    passIn: (delayMs) => queue.requestIn(delayMs),
    report: new ProblemReport(log),
    health,
    metrics,
    log,
  })
  stack.defer(async () => {
    working.abort()
    await queue.idle()
  })
  feed(manifestSource(options.manifests), store, queue, working.signal).catch(breakOff)

  await Promise.race([aborted(world.stop), broken])
  log.info("Stopping")
  health.stopping()
  await sleep(options.shutdownGracePeriod * 1000, world.stopNow)
  working.abort()
  await queue.idle()
  await driver.stop(world.stopNow)
  await sleep(options.postShutdownGracePeriod * 1000, world.stopNow)
}

async function takePlace(options: Options, stack: AsyncDisposableStack): Promise<Place> {
  const installation = await findInstallation(options)
  const layout = await prepareRuntimeDir(options.runtimeDir)
  stack.defer(await lock(layout))
  return { layout, installation }
}

/** Serves health and metrics, of nginx too. */
async function observe(
  { options }: World,
  driver: Driver,
  metrics: Metrics,
  stack: AsyncDisposableStack,
): Promise<Health> {
  const masterPid = () => driver.masterPid
  metrics.observeNginx({ statusUrl: `http://127.0.0.1:${options.statusPort}/nginx_status`, masterPid })
  const health = new Health(() => masterPid() !== undefined)
  const server = await startObserveServer({
    host: options.healthzHost,
    port: options.healthzPort,
    healthPath: options.healthCheckPath,
    health,
    metrics,
  })
  stack.defer(() => server.close())
  return health
}

/** Takes over the nginx that runs here, or makes sure that one can be started. */
async function takeNginx(
  options: Options,
  { layout, installation }: Place,
  driver: Driver,
  client: ControlClient,
  metrics: Metrics,
  signal: AbortSignal,
) {
  const paths = () => pathsOf(layout, installation, driver.masterPid !== undefined)
  const machine = readMachine()
  const print = loadRender()
  const render = (fixed: Fixed): Conf => print(fixed, { ...machine, paths: paths() })
  const delivery = new Delivery({ driver, control: new Control({ client, metrics }), layout, render })
  if (!(await delivery.adopt())) {
    await endOrphans(layout, signal)
    await checkPorts([
      { host: "0.0.0.0", port: options.httpPort, flag: "--http-port" },
      { host: "127.0.0.1", port: options.statusPort, flag: "--status-port" },
    ])
  }
  return { delivery, render }
}

function pathsOf(layout: Layout, installation: Installation, isRunning: boolean): Paths {
  return {
    wasmModule: installation.wasmModule,
    ingressModule: installation.ingressModule,
    balancer: installation.balancer,
    pid: layout.pid,
    controlSocket: layout.controlSocket,
    temp: layout.temp,
    accessLog: accessLogPath(layout, isRunning),
  }
}

/** Changes go from the source into the store; passes begin when everything that exists has been read. */
async function feed(source: Source, store: Store, queue: Queue, signal: AbortSignal): Promise<void> {
  let isSynced = false
  for await (const { changes, synced } of source.changes(signal)) {
    const isTouched = store.apply(changes)
    if (synced && (isTouched || !isSynced)) queue.request()
    isSynced = synced
  }
}
