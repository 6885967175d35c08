import { isLabel } from "../../../support/host-name.ts"
import type { Reader } from "../reader.ts"
import { gatewayGroup, readGroup, readKind, readNumber, readObjectName } from "./names.ts"

/** An object that another one names. */
export interface ObjectRef {
  /** "" is the core group */
  readonly group: string
  readonly kind: string
  /** that of the object that names it where none is written */
  readonly namespace: string
  readonly name: string
}

/** What a route wants to be attached to, as it was written: its status repeats it. */
export interface ParentRef {
  readonly group: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly sectionName?: string
  readonly port?: number
}

/** What serves a share of requests. */
export interface BackendRef extends ObjectRef {
  /** absent: not said, which a Service needs */
  readonly port?: number
  /** 0 to 1,000,000 */
  readonly weight: number
}

/** @param usual what group and kind are where they are not written */
export function readObjectRef(
  at: Reader,
  namespace: string,
  usual: { readonly group: string; readonly kind: string },
): ObjectRef | undefined {
  return at.accepted({
    group: readGroup(at, "group", usual.group),
    kind: readKind(at, "kind", usual.kind),
    namespace: readNamespace(at) || namespace,
    name: readObjectName(at, "name"),
  })
}

/** One of the own namespace, whatever is written. */
export function readLocalRef(
  at: Reader,
  namespace: string,
  usual: { readonly group: string; readonly kind: string },
): ObjectRef | undefined {
  const ref = readObjectRef(at, namespace, usual)
  return ref && at.accepted({ ...ref, namespace })
}

export const aSecret = { group: "", kind: "Secret" }
const aService = { group: "", kind: "Service" }

export function readParentRefs(at: Reader): readonly ParentRef[] {
  return at.every("parentRefs", readParentRef)
}

function readParentRef(at: Reader): ParentRef | undefined {
  const namespace = readNamespace(at)
  const sectionName = at.text("sectionName")
  const port = at.port("port")
  return at.accepted({
    group: readGroup(at, "group", gatewayGroup),
    kind: readKind(at, "kind", "Gateway"),
    ...(namespace !== "" && { namespace }),
    name: readObjectName(at, "name"),
    ...(sectionName !== "" && { sectionName }),
    ...(port !== undefined && { port }),
  })
}

/** One without weight. */
export function readBackendObject(at: Reader, namespace: string): Omit<BackendRef, "weight"> | undefined {
  const ref = readObjectRef(at, namespace, aService)
  const port = at.port("port")
  return ref && at.accepted(port === undefined ? ref : { ...ref, port })
}

export function readBackendRef(at: Reader, namespace: string): BackendRef | undefined {
  const ref = readBackendObject(at, namespace)
  const weight = readNumber(at, "weight", 0, 1_000_000) ?? 1
  return ref && at.accepted({ ...ref, weight })
}

function readNamespace(at: Reader): string {
  const namespace = at.text("namespace")
  if (namespace !== "" && !isLabel(namespace))
    at.refuse("namespace", "name-bad", "has to be a DNS label: lower-case letters, digits and dashes")
  return namespace
}
