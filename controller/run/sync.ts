import type { Options } from "../core/options/flags.ts"
import { reservedPorts } from "../core/options/own-ports.ts"
import type { Provider } from "../input/provider/provider.ts"
import { portsConfigMapOf } from "../model/gateway-ports.ts"
import { qualifiedName } from "../model/objects/object.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { Recorder } from "../report/events/recorder.ts"
import { Exposure } from "../report/exposure/exposure.ts"
import type { Health } from "../report/observe/health.ts"
import { ProblemReport } from "../report/problems/problem-report.ts"
import { keepStatus, type Status } from "../report/status/status.ts"
import type { Traces } from "../report/traces/traces.ts"
import { RateLimit } from "../support/rate-limit.ts"
import { Feed } from "../sync/feed.ts"
import { Sync } from "../sync/pass.ts"
import { PendingChanges } from "../sync/pending-changes.ts"
import { ReloadShares } from "../sync/reload-shares.ts"
import { TicketKeys } from "../sync/ticket-keys.ts"
import type { Common } from "./common.ts"
import type { Facts } from "./facts.ts"
import type { Garbage } from "./garbage.ts"
import type { Objects } from "./objects.ts"
import type { Passes } from "./passes.ts"
import type { World } from "./world.ts"

type Before = World &
  Common &
  Objects & { readonly provider: Provider; readonly plane: DataPlane; readonly passes: Passes }

interface Synchronising {
  readonly sync: Sync
  readonly changes: PendingChanges
  /** has no pass begin any more, and waits for the one that has */
  readonly settle: () => Promise<void>
}

/** Carries out passes. */
export function sync(
  before: Before & {
    readonly facts: Facts
    readonly health: Health
    readonly traces: Traces
    readonly status: Status
  },
  stops: AsyncDisposableStack,
): Synchronising {
  const { options, provider, plane, passes, facts, metrics, log } = before
  const changes = new PendingChanges()
  const settle = async () => {
    before.rest()
    await passes.idle()
  }
  stops.defer(settle)
  const sync = new Sync({
    ...before,
    ...facts,
    changes,
    ticketKeys: new TicketKeys({
      lastFixed: () => plane.read.lastFixed(),
      read: (name) => plane.read.file(name),
    }),
    configmap: options.configmap,
    healthPath: options.healthCheckPath,
    defaultServerPort: options.defaultServerPort,
    capabilities: plane.read.capabilities,
    rateLimit: new RateLimit(options.syncRateLimit, 1),
    reloadShares: new ReloadShares(options.syncRateLimit),
    passIn: passes.requestIn,
    report: new ProblemReport(log),
    recorder: recorderOf(options, provider),
    told: (statuses) => before.status.told(statuses),
    metrics: {
      ...metrics.reloads,
      ...metrics.passes,
      problems: metrics.problems,
      inForce: (now) => metrics.kept.inForce(now),
    },
  })
  return { sync, changes, settle }
}

/** The recorder of Events. */
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

/** What is written into the status of objects. */
export function status(
  { options, pod, provider, store, breakOff, log }: Before,
  stops: AsyncDisposableStack,
): { readonly status: Status } {
  const status = keepStatus({
    ...{ options, pod, provider, log },
    snapshot: () => store.snapshot(),
    failed: breakOff,
  })
  stops.defer(() => status.stop())
  return { status }
}

/** The objects by which Gateways are reached; none for manifests. */
export function exposure(before: Before, stops: AsyncDisposableStack): { readonly exposure: Exposing } {
  const { options, pod, provider, store, breakOff, log } = before
  if (!options.gatewayApi || options.manifests !== "") return { exposure: { changed() {} } }
  const exposure = new Exposure({
    ...{ options, pod, log },
    ports: portsConfigMapOf(options, pod.namespace),
    reserved: new Set(reservedPorts(options).map(({ port }) => port)),
    snapshot: () => store.snapshot(),
    owned: provider.owned,
    leadership: provider.leadership,
    failed: breakOff,
  })
  stops.defer(() => exposure.stop())
  return { exposure }
}

type Exposing = Pick<Exposure, "changed">

/** Takes what the provider tells into the store, and has passes carried out when everything is there. */
export function feed({
  provider,
  store,
  plane,
  sync,
  changes,
  passes,
  status,
  exposure,
  garbage,
  signal,
  breakOff,
}: Before &
  Synchronising & {
    readonly status: Status
    readonly exposure: Exposing
    readonly garbage: Pick<Garbage, "left">
  }): {
  readonly feed: Feed
  /** for when everything stands */
  readonly begin: () => void
} {
  const feed = new Feed({
    ...{ source: provider.source, store, signal },
    came: () => changes.came(),
    touched: passes.request,
    changed: () => {
      status.changed()
      exposure.changed()
    },
  })
  const begin = () => {
    feed.run().catch(breakOff)
    passes.begin({
      pass: async () => {
        if (await feed.settled()) await sync.pass()
        garbage.left()
      },
      hasServed: () => plane.hasServed,
    })
  }
  return { feed, begin }
}
