import type { Identity } from "../../model/identity.ts"
import type { Log } from "../../support/log.ts"
import { alone, type Leadership } from "../provider/leadership.ts"
import type { Api } from "./api.ts"
import { Lease } from "./lease/lease.ts"
import type { ClusterFlags } from "./options.ts"

/** A leadership that can be given up. */
export interface Candidacy {
  readonly leadership: Leadership
  /** Competes from now on. Once more does nothing. */
  begin(): void
  /** Ends it, so that another replica may take it at once. Once more does nothing. */
  close(): Promise<void>
}

/** Takes note of who leads. */
export interface LeadershipMetrics {
  leads(lease: string, isLeader: boolean): void
}

export interface CandidacyParts {
  readonly api: Api
  readonly identity: Identity
  readonly metrics: LeadershipMetrics
  readonly log: Pick<Log, "info" | "warn">
}

type Flags = Pick<ClusterFlags, "disableLeaderElection" | "electionId" | "electionTtl">

/** What stands for `--election-ttl` when that is no time at all. Source: ingress-nginx. */
const usualTtlMs = 30_000

/** To compete for the Lease `--election-id` in the namespace of this Pod, under its name; with `--disable-leader-election` for none. */
export function takePart(
  { disableLeaderElection, electionId, electionTtl }: Flags,
  parts: CandidacyParts,
): Candidacy {
  if (disableLeaderElection) return { leadership: alone, begin() {}, close: async () => {} }
  const { identity, metrics, ...rest } = parts
  const ttlMs = electionTtl > 0 ? electionTtl : usualTtlMs
  const { namespace, pod } = identity
  const lease = new Lease({ ...rest, namespace, name: electionId, identity: pod, ttlMs })
  lease.onChange((isLeader) => metrics.leads(electionId, isLeader))
  return { leadership: lease, begin: () => lease.compete(), close: () => lease.close() }
}
