import type { Meta } from "./meta.ts"
import type { Reader } from "./reader.ts"

export interface Pod {
  readonly kind: "Pod"
  readonly meta: Meta
  /** spec.nodeName; "" when it runs nowhere yet */
  readonly nodeName: string
  /** of each family one; none as long as it has no network */
  readonly addresses: readonly string[]
  /** status.phase is `Running`: its containers have been started and not all of them have ended */
  readonly isRunning: boolean
  /** its condition `Ready` is true: it may be sent requests */
  readonly isReady: boolean
  /** it has ended or is being deleted: it will not be sent requests any more */
  readonly isLeaving: boolean
}

export function readPod(at: Reader, meta: Meta): Pod | undefined {
  const nodeName = at.optional("spec", (spec) => spec.accepted(spec.text("nodeName")))
  const { phase, isReady, addresses } = at.optional("status", readStatus) ?? notStarted
  const isLeaving =
    phase === "Succeeded" || phase === "Failed" || at.child("metadata").has("deletionTimestamp")
  const isRunning = phase === "Running"
  return at.accepted({
    kind: "Pod",
    meta,
    nodeName: nodeName ?? "",
    addresses,
    isRunning,
    isReady,
    isLeaving,
  })
}

const notStarted = { phase: "Pending", isReady: false, addresses: [] }

function readStatus(status: Reader) {
  const conditions = status.list("conditions", (condition) =>
    condition.accepted({ type: condition.text("type"), status: condition.text("status") }),
  )
  const addresses = status.list("podIPs", (address) => address.accepted(address.text("ip")) || undefined)
  const own = status.text("podIP")
  return status.accepted({
    addresses: addresses.length > 0 || own === "" ? addresses : [own],
    phase: status.text("phase"),
    isReady: conditions.some(({ type, status }) => type === "Ready" && status === "True"),
  })
}

/**
 * Labels that tell the revisions of one workload apart: a Deployment, a StatefulSet, a DaemonSet (source: ingress-nginx 1.15, status on shutdown);
 * and the versions of a release of Helm, or what was there before wick.
 */
const ofRevision = new Set([
  "pod-template-hash",
  "controller-revision-hash",
  "pod-template-generation",
  "helm.sh/chart",
  "app.kubernetes.io/version",
])

/** The labels that all replicas of a Pod have, of whichever revision. */
export function replicaLabels(
  labels: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return Object.entries(labels).filter(([name]) => !ofRevision.has(name))
}
