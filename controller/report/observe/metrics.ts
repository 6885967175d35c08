import { collectDefaultMetrics, Registry } from "prom-client"
import type { EventDrop } from "../../input/cluster/events/event-record.ts"
import type { BackendState } from "../../model/endpoint-state.ts"
import type { Identity } from "../../model/identity.ts"
import type { MetricFormat } from "../../model/metric-format.ts"
import type { Observed } from "../../model/observed.ts"
import type { Problem } from "../../model/problem.ts"
import type { NamespaceUse } from "../../model/zone-fill.ts"
import { declareAdmission } from "./admission.ts"
import { type CertificateSource, certificateFamilies } from "./certificates.ts"
import { declareIn } from "./declare.ts"
import { endpointFamilies, type ReadEndpoints } from "./endpoints.ts"
import { declareFilter, type ReadFilter } from "./filter.ts"
import { declareNginx, type NginxSource } from "./nginx.ts"
import { orphanFamily } from "./orphans.ts"
import { declarePolicies, type ReadPolicies } from "./policies.ts"
import { familyEncoder } from "./protobuf.ts"
import { registryFamilies } from "./registry-families.ts"
import { declareScrapes } from "./scrapes.ts"
import { printFamilies } from "./series.ts"
import { declareSpans, type SpanCounts } from "./spans.ts"
import { declareWatches } from "./watches.ts"
import {
  declareNamespaces,
  declareShortages,
  declareZones,
  type ReadShortages,
  type ReadZones,
} from "./zones.ts"

/** What was counted of requests, in parts that may be cut anywhere. */
export type ReadPages = (format: MetricFormat) => AsyncGenerator<Uint8Array>

/** What was built, for `build_info`. */
export interface Build {
  readonly release: string
  readonly build: string
  readonly repository: string
}

/** Seconds; a post crosses a socket on the same machine. */
const postBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** Seconds; a pass is pure computation and the posts it waits for. */
const passBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Seconds; a change waits for the pass before it, and perhaps for a reload. */
const changeBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** How often the lag of the event loop is looked at. prom-client's 10 ms were most of what an idle controller did: 0.8 % of a core. */
const eventLoopLookMs = 100

/**
 * The metrics of the controller, each declared once. Names that start with `nginx_ingress_controller_` mean what they mean in ingress-nginx;
 * those that start with `wick_` are ours.
 *
 * @param isEnabled `--enable-metrics`; without it `own` has only those of the process
 */
export function createMetrics(identity: Identity, build: Build, isEnabled: boolean) {
  let readRequests: ReadPages | undefined
  let endpoints: { readonly counted: ReadPages; readonly known: ReadEndpoints } | undefined
  let readCertificates: Omit<CertificateSource, "controllerClass"> | undefined
  let observed: Observed | undefined
  const ours = new Registry()
  const process = new Registry()
  collectDefaultMetrics({ register: process, eventLoopMonitoringPrecision: eventLoopLookMs })
  const scrapes = declareScrapes(process)
  ours.setDefaultLabels({
    controller_class: identity.controllerClass,
    controller_namespace: identity.namespace,
    controller_pod: identity.pod,
  })
  const declare = declareIn(ours)

  declare
    .gauge(
      "nginx_ingress_controller_build_info",
      "Release, commit and repository of the running controller",
      ["release", "build", "repository"],
    )
    .set({ ...build }, 1)
  const configHash = declare.gauge(
    "nginx_ingress_controller_config_hash",
    "Hash of the configuration in force",
  )
  const isReloaded = declare.gauge(
    "nginx_ingress_controller_config_last_reload_successful",
    "1 when the last reload worked",
  )
  const reloadedAt = declare.gauge(
    "nginx_ingress_controller_config_last_reload_successful_timestamp_seconds",
    "Time of the last reload that worked",
  )
  const successes = declare.counter("nginx_ingress_controller_success", "Reloads that worked")
  const errors = declare.counter("nginx_ingress_controller_errors", "Reloads that failed")
  const reloads = declare.counter(
    "wick_reloads_total",
    "Reloads that worked, by what made each of them necessary: one with several reasons counts for each",
    ["reason"],
  )
  const changeSeconds = declare.histogram(
    "wick_change_duration_seconds",
    "Time from when a change of an object was heard of to when all workers serve it",
    changeBuckets,
    ["by"],
  )
  const posts = declare.counter("wick_posts_total", "Changes posted to nginx", ["outcome"])
  const postSeconds = declare.histogram(
    "wick_post_duration_seconds",
    "Time until a posted change was answered",
    postBuckets,
  )
  const passSeconds = declare.histogram(
    "wick_pass_duration_seconds",
    "Time of one pass from snapshot to nginx",
    passBuckets,
  )
  const passErrors = declare.counter("wick_pass_errors_total", "Passes that failed and are tried again")
  const problems = declare.gauge("wick_problems", "Problems of objects that stand now", ["code"])
  const closedForRoom = declare.gauge(
    "wick_closed_for_room",
    "Routes that get 503, or are left out, as what they should be finds no room in shared memory",
  )
  const nginxRestarts = declare.counter(
    "wick_nginx_restarts_total",
    "Times nginx was started again after its master had died",
  )
  const rollbacks = declare.counter(
    "wick_policy_rollbacks_total",
    "Times a balancing policy failed too often, so that its last good version took its place, or round robin",
    ["policy"],
  )
  const droppedEvents = declare.counter(
    "wick_events_dropped_total",
    "Kubernetes Events that were given up: too many about one object (throttled), too many at once (overflow), or the API server (failed, refused)",
    ["reason"],
  )
  const leads = declare.gauge(
    "nginx_ingress_controller_leader_election_status",
    "1 while this replica holds the Lease, 0 after that",
    ["name"],
  )

  function* familiesOf(now: Observed) {
    yield orphanFamily(now.ingresses(), identity)
    if (readCertificates) yield* certificateFamilies(now.certificates(), { ...readCertificates, ...identity })
  }

  return {
    watches: declareWatches(declare),
    scrapes,
    /** A reload is in force. @param hash any number below 2^53 that tells configurations apart @param atMs milliseconds since 1970 */
    reloaded(hash: number, atMs: number): void {
      configHash.set(hash)
      isReloaded.set(1)
      reloadedAt.set(atMs / 1000)
      successes.inc()
    },
    /** @param reasons parts of the configuration, and other words that are not beyond number */
    reloadedFor(reasons: readonly string[]): void {
      for (const reason of new Set(reasons)) reloads.inc({ reason })
    },
    reloadFailed(): void {
      configHash.set(0)
      isReloaded.set(0)
      errors.inc()
    },
    /** After a failure the wanted configuration is the one in force again. */
    reloadNotNeeded(hash: number): void {
      configHash.set(hash)
      isReloaded.set(1)
    },
    posted(outcome: "applied" | "refused" | "failed", seconds: number): void {
      posts.inc({ outcome })
      postSeconds.observe(seconds)
    },
    /** Changes are in force. @param by what that took @param cameMs when they came, as `performance.now()` has it */
    changed(by: "post" | "reload", cameMs: readonly number[]): void {
      for (const ms of cameMs) changeSeconds.observe({ by }, (performance.now() - ms) / 1000)
    },
    passed(seconds: number): void {
      passSeconds.observe(seconds)
    },
    passFailed(): void {
      passErrors.inc()
    },
    /** All problems of the last pass. */
    problems(standing: readonly Pick<Problem, "code">[]): void {
      problems.reset()
      for (const { code } of standing) problems.inc({ code })
    },
    closedForRoom(routes: number): void {
      closedForRoom.set(routes)
    },
    nginxRestarted(): void {
      nginxRestarts.inc()
    },
    eventDropped(reason: EventDrop): void {
      droppedEvents.inc({ reason })
    },
    /** This replica began or ceased to lead. @param lease `--election-id` */
    leads(lease: string, isLeader: boolean): void {
      leads.set({ name: lease }, isLeader ? 1 : 0)
    },
    /** From now on the numbers of nginx are read at each scrape. Once. */
    observeNginx(nginx: NginxSource): void {
      declareNginx(declare, nginx)
    },
    /** There is an admission webhook. Once. @returns is told of each check */
    observeAdmission: () => declareAdmission(declare),
    /** A balancing policy failed too often, so that it is not in force any more. */
    policyRolledBack(policy: string): void {
      rollbacks.inc({ policy })
    },
    /** From now on what balancing policies did is asked at each scrape. Once. */
    observePolicies(read: ReadPolicies): void {
      declarePolicies(declare, read)
    },
    /** From now on what the filter did is asked at each scrape. Once. */
    observeFilter(read: ReadFilter): void {
      declareFilter(declare, read)
    },
    /** From now on how full the zones are is asked at each scrape. Once. */
    observeZones(read: ReadZones, shortages: ReadShortages): void {
      declareZones(declare, read)
      declareShortages(declare, shortages)
    },
    /** From now on what namespaces want of the zones is asked at each scrape. Once. */
    observeNamespaces(read: () => readonly NamespaceUse[]): void {
      declareNamespaces(declare, read)
    },
    /** From now on what became of spans of requests is read at each scrape. Once. */
    observeSpans(read: () => SpanCounts): void {
      declareSpans(declare, read)
    },
    /** From now on a scrape has what was counted of requests, too. Once. */
    observeRequests(read: ReadPages): void {
      readRequests = read
    },
    /** From now on a scrape has what was counted and is known of endpoints, too. Once. */
    observeEndpoints(counted: ReadPages, known: ReadEndpoints): void {
      endpoints = { counted, known }
    },
    /** From now on a scrape has the certificates that hosts show, too. Once. */
    observeCertificates(source: Omit<CertificateSource, "controllerClass">): void {
      readCertificates = source
    },
    /** What a pass came to is in force. */
    inForce(now: Observed): void {
      observed = now
    },
    /** The metrics of the controller. */
    async own(format: MetricFormat): Promise<Uint8Array> {
      const registries = isEnabled ? [ours, process] : [process]
      if (format === "text") {
        const texts = await Promise.all(registries.map((registry) => registry.metrics()))
        return Buffer.from(texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join(""))
      }
      const families = await Promise.all(registries.map(registryFamilies))
      return Buffer.concat(families.flat().map(await familyEncoder()))
    },
    /** The same of Ingresses and hosts, then of requests and endpoints, in parts. It ends early when nginx does not answer from the start. @throws Failure when it ceases to */
    async *pages(format: MetricFormat): AsyncGenerator<Uint8Array> {
      if (isEnabled && observed !== undefined) yield* printFamilies(familiesOf(observed), format)
      yield* requestPages(readRequests, format)
      if (endpoints === undefined) return
      yield* requestPages(endpoints.counted, format)
      yield* printFamilies(endpointFamilies(await allOf(endpoints.known), identity), format)
    },
  }
}

/** None while nginx does not answer. */
async function allOf(read: ReadEndpoints): Promise<readonly BackendState[]> {
  const all: BackendState[] = []
  try {
    for await (const some of read()) all.push(...some)
  } catch {
    return []
  }
  return all
}

async function* requestPages(read: ReadPages | undefined, format: MetricFormat): AsyncGenerator<Uint8Array> {
  const pages = read?.(format)
  const first = await pages?.next().catch(() => undefined) // as while nginx starts: what is not known is not there
  if (pages === undefined || first === undefined || first.done) return
  yield first.value
  yield* pages
}

export type Metrics = ReturnType<typeof createMetrics>
