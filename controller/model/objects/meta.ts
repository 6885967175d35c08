import { isLabel } from "../../support/host-name.ts"
import type { Reader } from "./reader.ts"

/** What every object carries. Parsed once at the border; afterwards nothing is optional that need not be. */
export interface Meta {
  /** "" for cluster-scoped kinds */
  readonly namespace: string
  readonly name: string
  /** "" when a manifest has none */
  readonly uid: string
  /** milliseconds since 1970; for manifests without one, when the object was first seen */
  readonly createdMs: number
  /** those of them that are read in objects of this kind */
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** Which labels and annotations of a kind are kept, by their keys; none when absent. In a large cluster the others are most of what there is. */
export interface Kept {
  readonly labels?: readonly string[] | "all"
  /** never kubectl's copy of the whole object, which in a Secret is as secret as that */
  readonly annotations?: readonly string[] | "all"
}

const copyOfObject = "kubectl.kubernetes.io/last-applied-configuration"

/** RFC 1123 subdomain. Source: Kubernetes, "Object Names and IDs". */
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Namespace and name, checked as an API server checks them: they become keys, file names and log fields. */
export function readName(
  at: Reader,
  isNamespaced: boolean,
): { readonly namespace: string; readonly name: string } {
  const name = at.requiredText("name")
  if (name !== "" && !isSubdomain(name)) refuseName(at, "name", "a DNS subdomain")
  if (!isNamespaced) return { namespace: "", name }
  const namespace = at.text("namespace") || "default"
  if (!isLabel(namespace)) refuseName(at, "namespace", "a DNS label")
  return { namespace, name }
}

/** Whether an object may be named so: a DNS subdomain in lower case. */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && subdomain.test(text)
}

function refuseName(at: Reader, field: string, expected: string): void {
  at.refuse(field, "name-bad", `has to be ${expected}: lower-case letters, digits and dashes`)
}

/**
 * All fields are named here: an object that begins with a spread one has them beside it, in a second object.
 *
 * @param firstSeenMs stands in for a creationTimestamp that is absent or cannot be read
 */
export function readMeta(
  at: Reader,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  firstSeenMs: number,
  { labels, annotations }: Kept,
): Meta {
  return {
    namespace,
    name,
    uid: at.text("uid"),
    createdMs: readCreated(at) ?? firstSeenMs,
    labels: at.textMap("labels", isOneOf(labels)),
    annotations: at.textMap("annotations", isOneOf(annotations)),
  }
}

function isOneOf(kept: readonly string[] | "all" = []): (key: string) => boolean {
  return (key) => (kept === "all" ? key !== copyOfObject : kept.includes(key))
}

function readCreated(at: Reader): number | undefined {
  const written = at.raw("creationTimestamp")
  if (written === undefined) return undefined
  const ms = typeof written === "string" ? Date.parse(written) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  at.report("creationTimestamp", "time-bad", "has to be a time as in 2026-01-31T12:00:00Z")
  return undefined
}
