import { PathOwners } from "../admission/path-owners.ts"
import { referencesIn } from "../core/annotations/references.ts"
import { looksLikeSettings } from "../core/options/looks-like-settings.ts"
import { referencesInSettings } from "../core/options/references.ts"
import { OwnPlaces } from "../core/translate/backends/own-places.ts"
import { translateOptions } from "../core/translate/translate.ts"
import { Fetcher } from "../facts/fetch/fetcher.ts"
import { Dns } from "../facts/names/dns.ts"
import { Names } from "../facts/names/names.ts"
import type { Provider } from "../input/provider/provider.ts"
import { Store } from "../input/store/store.ts"
import type { Ingress } from "../model/objects/ingress.ts"
import { qualifiedName } from "../model/objects/object.ts"
import { LocalNginx } from "../output/nginx/local-nginx.ts"
import { hasIpv6, ownAddresses } from "../output/nginx/machine.ts"
import { Workplace } from "../output/nginx/workplace.ts"
import { LastPass } from "../report/history/last-pass.ts"
import { ReloadHistory } from "../report/history/reload-history.ts"
import { createMetrics } from "../report/observe/metrics.ts"
import { ProblemReport } from "../report/problems/problem-report.ts"
import { keepStatus, type Status } from "../report/status/status.ts"
import { aborted, sleep } from "../support/abort.ts"
import { Failure } from "../support/failure.ts"
import { Queue } from "../support/queue.ts"
import { RateLimit } from "../support/rate-limit.ts"
import { Feed } from "../sync/feed.ts"
import { Sync } from "../sync/pass.ts"
import { PendingChanges } from "../sync/pending-changes.ts"
import { ReloadShares } from "../sync/reload-shares.ts"
import { TicketKeys } from "../sync/ticket-keys.ts"
import { openAdmission } from "./admission.ts"
import { type Fetching, takeSecrets, takeStapling } from "./certificates.ts"
import { openProvider, recorderOf } from "./objects.ts"
import { observe, observeCertificates } from "./observe.ts"
import { eventsOf, observePlane } from "./plane.ts"
import { takePolicies } from "./policies.ts"
import { takeTraces } from "./traces.ts"
import { openUi } from "./ui.ts"
import type { World } from "./world.ts"

// Builds the parts, starts them in the order in which changes pass through them, and stops them the other way round.

/**
 * How long a Pod that ends serves at least. Kubernetes runs its hook and takes it out of its Services at the same time, and every node hears of
 * that when it hears of it: kube-proxy alone waits up to a second. Connections that come until then would be refused.
 */
const minLeaveSeconds = 10

/**
 * Runs the controller until `stop` aborts and nginx has ended.
 *
 * @throws Failure when it cannot start. Whatever it throws, an nginx that serves is left alone: the next controller takes it over
 */
export async function run(world: World): Promise<void> {
  await using stack = new AsyncDisposableStack()
  // asked until everything else has ended
  const webhook = stack.use(new AsyncDisposableStack())
  const { options, log, identity } = world
  const working = new AbortController()
  const { signal } = working
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>()
  const metrics = createMetrics(identity, world.build, options.enableMetrics)
  const workplace = await Workplace.take(options, identity, stack)
  const reloads = new ReloadHistory()
  const lastPass = new LastPass()

  const failed = (error: unknown, retryMs: number) => {
    metrics.passFailed()
    // A bug, or a start that cannot succeed; once nginx has served, everything is tried again.
    if (!(error instanceof Failure) || !plane.hasServed) return breakOff(error)
    log.error({ code: error.code, detail: error.message, retryMs: Math.round(retryMs) }, "Pass failed")
  }
  const { promise: built, resolve: begin } = Promise.withResolvers<void>()
  const pass = async () => {
    await built
    if (await feed.settled()) await sync.pass()
  }
  const queue = new Queue({ pass, failed, signal })
  const events = eventsOf({ metrics, reloads, log, request: () => queue.request() })
  const plane = await LocalNginx.open(options, workplace, events, signal, stack)
  await plane.adopt()
  observePlane(plane, metrics)
  const traces = takeTraces(world, plane.read.spans, metrics, signal)
  const health = await observe(options, plane, metrics, stack)
  const provider = await openProvider(world, metrics)
  if (provider === undefined) return plane.stop(world.stopNow)
  stack.defer(() => provider.close())
  await observeCertificates(plane, provider, metrics)
  const pod = { namespace: identity.namespace, name: identity.pod }
  const owners = new PathOwners(options.annotationsPrefix)
  const store = new Store({
    ...options,
    ...(options.validatingWebhook && {
      oursChanged: (before, after) => owners.replace(before, after),
    }),
    pod,
    readsClasses: provider.readsClasses,
    reportsUnassigned: options.manifests !== "",
    referencesOf: (ingress) => referencesIn(ingress, options.annotationsPrefix),
    referencesOfSettings: referencesInSettings,
    ...(options.manifests !== "" && { looksLikeSettings }),
  })
  const dns = new Dns(options.resolvConf)
  const translation = translateOptions(options, ownAddresses(), identity.namespace)
  const own = new OwnPlaces(translation)
  const fetching: Fetching = {
    fetcher: new Fetcher({
      dns,
      hasIpv6: hasIpv6(),
      endpoints: () => own.rules(store.snapshot()),
      signal,
    }),
    changed: () => queue.request(),
    signal,
    log,
  }
  const changes = new PendingChanges()
  const sync = new Sync({
    store,
    changes,
    names: new Names({ dns, hasIpv6: hasIpv6(), changed: () => queue.request(), signal }),
    stapling: await takeStapling(workplace, fetching),
    secrets: await takeSecrets(options, workplace, fetching),
    policies: await takePolicies(options, plane, { ...fetching, metrics }),
    plane,
    traces,
    ticketKeys: new TicketKeys({
      lastFixed: () => plane.read.lastFixed(),
      read: (name) => plane.read.file(name),
    }),
    translateOptions: translation,
    configmap: options.configmap,
    healthPath: options.healthCheckPath,
    defaultServerPort: options.defaultServerPort,
    hasBrotli: plane.read.versions.hasBrotli,
    rateLimit: new RateLimit(options.syncRateLimit, 1),
    reloadShares: new ReloadShares(options.syncRateLimit),
    passIn: (delayMs) => queue.requestIn(delayMs),
    report: new ProblemReport(log),
    recorder: recorderOf(options, provider),
    health,
    lastPass,
    reloads,
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
    came: () => changes.came(),
    touched: () => queue.request(),
    changed: () => status.changed(),
    signal,
  })
  const objects = {
    areComplete: () => feed.wasSettled,
    owners,
    isOurs: (ingress: Ingress) => store.wouldBeOurs(ingress),
    configMap: () => options.configmap && store.configMap(qualifiedName(options.configmap)),
    service: (name: string) => store.service(name),
  }
  await openAdmission(
    {
      options,
      translateOptions: translation,
      differencesOf: world.differencesOf,
      objects,
      metrics,
      log,
      leaving: world.stop,
    },
    webhook,
  )
  await openUi(
    { ...world, workplace, plane, lastPass, reloads, health, leadership: provider.leadership, signal },
    stack,
  )
  feed.run().catch(breakOff)
  begin()

  await Promise.race([aborted(world.stop), broken])
  log.info("Stopping")
  health.stopping()
  const leaveMs = 1000 * Math.max(options.shutdownGracePeriod, world.isLeaving() ? minLeaveSeconds : 0)
  if (leaveMs > 0) await plane.drain()
  await sleep(leaveMs, world.stopNow)
  await Promise.all([rest(), status.stop(), traces.stop()])
  // nginx lets requests end meanwhile: the API server may be slow, or gone
  await Promise.all([leave(status, provider, world.stopNow), plane.stop(world.stopNow)])
  await sleep(options.postShutdownGracePeriod * 1000, world.stopNow)
}

/** The last words to the cluster; who takes over need not wait for nginx. */
async function leave(status: Status, provider: Provider, stopNow: AbortSignal): Promise<void> {
  await status.withdraw(stopNow)
  await provider.close()
}
