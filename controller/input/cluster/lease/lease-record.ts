import { recordOf } from "../../../model/objects/reader.ts"

// Leases as client-go writes and reads them, so that replicas of ingress-nginx may compete for the same one.
// Source: coordination.k8s.io/v1, LeaseSpec; client-go, tools/leaderelection.

type Fields = Readonly<Record<string, unknown>>

/** A Lease as it was read. */
export interface LeaseRecord {
  /** "" while it is free */
  readonly holder: string
  /** how long it is the holder's without a sign of life */
  readonly durationMs: number
  /** the same text as long as nobody has renewed, taken or released it */
  readonly sign: string
  /** the whole object: what is not ours in it stays when it is written */
  readonly object: Fields
}

/** @param absentMs stands in for a duration that is not there */
export function readLease(value: unknown, absentMs: number): LeaseRecord {
  const object = recordOf(value)
  const spec = recordOf(object.spec)
  const { holderIdentity: holder, leaseDurationSeconds: seconds } = spec
  return {
    holder: typeof holder === "string" ? holder : "",
    durationMs: typeof seconds === "number" && seconds > 0 ? seconds * 1000 : absentMs,
    sign: JSON.stringify(spec),
    object,
  }
}

/** What is written to acquire or renew the Lease. */
export interface Acquisition {
  readonly namespace: string
  readonly name: string
  readonly holder: string
  readonly durationMs: number
  /** milliseconds since 1970 */
  readonly dateMs: number
}

/** The Lease held by who acquires or renews it. @param before undefined when there is none yet */
export function acquired(before: LeaseRecord | undefined, acquisition: Acquisition): Fields {
  const now = microTime(acquisition.dateMs)
  const old = recordOf(before?.object.spec)
  const isRenewal = before?.holder === acquisition.holder
  return {
    ...(before?.object ?? emptyLease(acquisition)),
    spec: {
      ...old,
      holderIdentity: acquisition.holder,
      leaseDurationSeconds: Math.ceil(acquisition.durationMs / 1000),
      acquireTime: isRenewal ? (old.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: transitionsOf(old) + (isRenewal || before === undefined ? 0 : 1),
    },
  }
}

/** A released Lease: the next replica that looks may take it. @param dateMs milliseconds since 1970 */
export function released(before: LeaseRecord, dateMs: number): Fields {
  const now = microTime(dateMs)
  const spec = recordOf(before.object.spec)
  const free = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now }
  return { ...before.object, spec: { ...spec, ...free } }
}

function emptyLease({ namespace, name }: Acquisition): Fields {
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { namespace, name } }
}

/** Kubernetes' MicroTime has six decimals, no more and no fewer. */
function microTime(dateMs: number): string {
  return new Date(dateMs).toISOString().replace("Z", "000Z")
}

function transitionsOf({ leaseTransitions }: Fields): number {
  return typeof leaseTransitions === "number" ? leaseTransitions : 0
}
