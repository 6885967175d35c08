import type { Identity } from "../../model/identity.ts"
import type { Log } from "../../support/log.ts"
import type { Provider } from "../provider/provider.ts"
import type { Source } from "../provider/source.ts"
import { takePart } from "./candidacy.ts"
import type { ClusterMetrics } from "./cluster-metrics.ts"
import { clusterSource } from "./cluster-source.ts"
import { type Connection, connect } from "./connect/connect.ts"
import type { ServiceAddress } from "./connect/service-account.ts"
import { ClusterEvents } from "./events/events.ts"
import { fenced } from "./fence.ts"
import type { ClusterFlags } from "./options.ts"
import { readingOf } from "./reading.ts"
import { ClusterStatuses } from "./statuses.ts"
import type { WatchObserver } from "./watch/observer.ts"
import { reflect } from "./watch/reflect.ts"
import { WatchReport } from "./watch/report.ts"
import { watchedFor } from "./watched.ts"

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
  const statuses = new ClusterStatuses(writing)
  const dropped = metrics.eventDropped
  const events = new ClusterEvents({ api: writing, instance: pod, log, dropped })
  const close = async () => {
    events.close()
    await candidacy.close()
    connection.close()
  }
  const source = onceSynced(sourceOf(cluster, connection, statuses), () => candidacy.begin())
  return {
    source,
    statuses,
    events,
    leadership: candidacy.leadership,
    pod: { kind: "Pod", ...connection.pod },
    readsClasses,
    close,
  }
}

function sourceOf(
  { options, metrics, log }: ClusterOptions,
  connection: Connection,
  statuses: ClusterStatuses,
): Source {
  const { api } = connection
  return clusterSource({
    watched: watchedFor(options, connection),
    reflect: ({ resource, isRequired }, failed, signal) => {
      const { title } = resource
      const observer = telling(new WatchReport({ title, isRequired }, log, metrics.watches), failed)
      return reflect({ api, resource, observer, relistMs: options.syncPeriod, signal })
    },
    readingOf: (kind, signal) => readingOf(api, kind, signal),
    saw: (kind, name, object) => statuses.observe(kind, name, object),
    log,
  })
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
