import type { Statuses } from "../../input/provider/status.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import { type StatusAddress, sameAddresses } from "../../model/objects/status-address.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { Log } from "../../support/log.ts"
import { type AddressOptions, addressesOf, type Cluster } from "./addresses.ts"
import { replicasOf } from "./replicas.ts"
import { writeAll } from "./write-all.ts"

/** How long it may take. Pods get 30 s by default, those of ingress-nginx's chart 300 s. */
const maxMs = 60_000

const none: readonly StatusAddress[] = []

export interface WithdrawOptions {
  readonly snapshot: Cluster & Pick<Snapshot, "ingresses">
  readonly addresses: AddressOptions
  readonly writer: Statuses["Ingress"]
  readonly log: Pick<Log, "info" | "warn">
}

/**
 * Empties the status of the Ingresses when the last replica stops, whether it is the leader or not: nobody else would. Where it says something
 * else than this replica would have written, somebody else did, and it stays.
 */
export async function withdraw(options: WithdrawOptions, stopNow: AbortSignal): Promise<void> {
  const { snapshot, addresses, writer, log } = options
  const reason = whyLeft(snapshot, addresses)
  if (reason !== undefined) return log.info({ detail: reason }, "Left the status of Ingresses as it is")
  const names = ownStatuses(options)
  const parts = names.map((name) => [name, none] as const)
  const signal = AbortSignal.any([stopNow, AbortSignal.timeout(maxMs)])
  const { written, refused, broken } = await writeAll(parts, writer, signal)
  if (written > 0) log.info({ ingresses: written }, "Emptied the status of Ingresses")
  const left = names.length - written
  const failure = broken ?? [...refused.values()][0]
  const detail = failure?.message ?? "time is over"
  if (left > 0) log.warn({ ingresses: left, detail }, "Cannot empty the status of Ingresses")
}

/** The Ingresses that this replica, or one like it, has written to; all, as long as it is not known what it would have written. */
function ownStatuses({ snapshot, addresses, writer }: WithdrawOptions): readonly string[] {
  const own = addressesOf(snapshot, addresses)
  return snapshot.ingresses
    .map(({ meta }) => qualifiedName(meta))
    .filter((name) => {
      const current = writer.current(name) ?? []
      return current.length > 0 && (own.kind === "unknown" || sameAddresses(current, own.addresses))
    })
}

/** @returns why the status is left to others; it fits after a colon */
function whyLeft(cluster: Cluster, options: AddressOptions): string | undefined {
  const found = addressesOf(cluster, options)
  if (found.kind === "known" && found.addresses.length > 1) return "there is more than one address"
  const replicas = replicasOf(cluster.pods, options.pod)
  if (replicas === undefined) return "it is not known whether other replicas run"
  const own = qualifiedName(options.pod)
  const others = replicas.filter((pod) => !pod.isLeaving && qualifiedName(pod.meta) !== own)
  return others.length > 0 ? `other replicas run (${others.length})` : undefined
}
