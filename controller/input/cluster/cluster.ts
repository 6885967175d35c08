import type { Identity } from "../../model/identity.ts"
import { managedBy } from "../../model/managed-by.ts"
import type { Log } from "../../support/log.ts"
import type { Provider } from "../provider/provider.ts"
import type { Source } from "../provider/source.ts"
import type { Api } from "./api.ts"
import { takePart } from "./candidacy.ts"
import type { ClusterMetrics } from "./cluster-metrics.ts"
import { ClusterOwnedObjects } from "./cluster-owned-objects.ts"
import { type ClusterSourceOptions, clusterSource } from "./cluster-source.ts"
import { type Connection, connect } from "./connect/connect.ts"
import type { ServiceAddress } from "./connect/service-account.ts"
import { ClusterEvents } from "./events/events.ts"
import { fenced } from "./fence.ts"
import { Offers } from "./offers/offers.ts"
import { whileOffered } from "./offers/while-offered.ts"
import type { ClusterFlags } from "./options.ts"
import { readingOf } from "./reading.ts"
import { ClusterStatuses } from "./statuses.ts"
import type { WatchObserver } from "./watch/observer.ts"
import { reflect } from "./watch/reflect.ts"
import { WatchReport } from "./watch/report.ts"
import { offeredKinds, watchedFor } from "./watched.ts"

export interface ClusterOptions {
  readonly options: ClusterFlags
  readonly identity: Identity
  /** where Kubernetes tells a Pod that the API server is */
  readonly service: ServiceAddress
  /** of this program, as `1.2.3` */
  readonly release: string
  readonly metrics: ClusterMetrics
  readonly log: Pick<Log, "info" | "warn">
}

/**
 * The objects of an API server, and what is written back to it.
 *
 * @param signal gives up the attempt to open it
 * @throws Failure when it cannot be reached, or lacks what the flags name
 */
export async function openCluster(cluster: ClusterOptions, signal: AbortSignal): Promise<Provider> {
  const { identity, options, metrics, log } = cluster
  const { namespace, pod } = identity
  const connection = await connect({ ...cluster, pod: { namespace, name: pod } }, signal)
  const { api, readsClasses } = connection
  const candidacy = takePart(options, { api, identity, metrics, log })
  const writing = fenced(api, candidacy.leadership)
  const statuses = new ClusterStatuses(writing, options.gatewayControllerName)
  const owned = new ClusterOwnedObjects(writing, managedBy)
  const saw: Saw = (kind, name, object) => {
    statuses.observe(kind, name, object)
    owned.observe(kind, name, object)
  }
  const dropped = metrics.eventDropped
  const events = new ClusterEvents({ api: writing, instance: pod, log, dropped })
  const close = async () => {
    events.close()
    await candidacy.close()
    connection.close()
  }
  const source = onceSynced(sourceOf(cluster, connection, saw), () => candidacy.begin())
  return {
    source,
    statuses,
    owned,
    events,
    leadership: candidacy.leadership,
    pod: { kind: "Pod", ...connection.pod },
    readsClasses,
    close,
  }
}

type Saw = ClusterSourceOptions["saw"]

function sourceOf(cluster: ClusterOptions, connection: Connection, saw: Saw): Source {
  const { api } = connection
  const { options, log } = cluster
  return {
    changes(signal, named) {
      const { watchNamespace } = options
      const offers = new Offers({ api, kinds: offeredKinds(options), namespace: watchNamespace, log, signal })
      const source = clusterSource({
        watched: watchedFor(options, connection),
        reflect: reflecting(cluster, api, offers),
        readingOf: (kind, signal) => readingOf(api, kind, signal),
        saw,
        log,
      })
      return source.changes(signal, named)
    },
  }
}

/** How what is watched is followed: all the while, or as long as the API server has it. */
function reflecting(
  { options, metrics, log }: ClusterOptions,
  api: Api,
  offers: Offers,
): ClusterSourceOptions["reflect"] {
  return ({ resource, isRequired, offeredWith }, failed, signal) => {
    const follow = (signal: AbortSignal) => {
      const report = new WatchReport({ title: resource.title, isRequired }, log, metrics.watches)
      const observer = telling(report, () => {
        failed()
        if (offeredWith !== undefined) offers.doubt()
      })
      return reflect({ api, resource, observer, relistMs: options.syncPeriod, signal })
    }
    return offeredWith === undefined ? follow(signal) : whileOffered(offeredWith, offers, follow, signal)
  }
}

/** Calls back when everything that exists has been read: who cannot read has nothing to write, and leaves the Lease to others. */
function onceSynced(source: Source, callBack: () => void): Source {
  return {
    async *changes(signal, named) {
      for await (const batch of source.changes(signal, named)) {
        if (batch.synced) callBack()
        yield batch
      }
    },
  }
}

/** An observer that calls back after each failure. */
function telling(observer: WatchObserver, failed: () => void): WatchObserver {
  return {
    contact: () => observer.contact(),
    listed: () => observer.listed(),
    failed: (cause, message) => {
      observer.failed(cause, message)
      failed()
    },
    close: () => observer.close(),
  }
}
