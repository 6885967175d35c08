import { managedBy } from "../../model/managed-by.ts"
import { recordOf } from "../../model/objects/reader.ts"
import { Failure } from "../../support/failure.ts"
import { covers } from "./covers.ts"
import { type OwnObject, ofInfrastructure } from "./wanted-objects.ts"

type Json = Readonly<Record<string, unknown>>

/** Whether an object is as it is wanted, but for what others have added to it. */
export function isUpToDate(found: unknown, wanted: OwnObject): boolean {
  const { metadata } = recordOf(found)
  const { labels, annotations } = kept(recordOf(metadata), wanted)
  const isSame = (name: string, left: Json) =>
    Object.keys(left).length === Object.keys(recordOf(recordOf(metadata)[name])).length
  return covers(found, wanted) && isSame("labels", labels) && isSame("annotations", annotations)
}

/**
 * What becomes of an object that is to be as it is wanted: what others have added to it stays.
 *
 * @param found undefined: there is none
 * @throws Failure when it is somebody else's
 */
export function updated(found: unknown, wanted: OwnObject): Json {
  if (found === undefined) return wanted
  const before = recordOf(found)
  const metadata = recordOf(before.metadata)
  if (recordOf(metadata.labels)[managedBy.name] !== managedBy.value) throw foreign(wanted)
  const { labels, annotations } = kept(metadata, wanted)
  return {
    ...before,
    ...wanted,
    ...(wanted.kind === "Service" && { spec: updatedSpec(recordOf(before.spec), recordOf(wanted.spec)) }),
    metadata: {
      ...metadata,
      ...wanted.metadata,
      labels: { ...labels, ...wanted.metadata.labels },
      annotations: { ...annotations, ...wanted.metadata.annotations },
    },
  }
}

/** What an object has without what was its Gateway's and is no more. */
function kept(metadata: Json, wanted: OwnObject) {
  const [labels, annotations] = [recordOf(metadata.labels), recordOf(metadata.annotations)]
  const [ownLabels, ownAnnotations] = namesIn(annotations[ofInfrastructure])
  return {
    labels: without(labels, ownLabels, wanted.metadata.labels),
    annotations: without(
      annotations,
      [...ownAnnotations, ofInfrastructure],
      wanted.metadata.annotations ?? {},
    ),
  }
}

function without(found: Json, own: readonly string[], wanted: Json): Json {
  const isKept = (name: string) => !own.includes(name) || Object.hasOwn(wanted, name)
  return Object.fromEntries(Object.entries(found).filter(([name]) => isKept(name)))
}

/** Others may have written it, too. */
function namesIn(text: unknown): readonly [labels: readonly string[], annotations: readonly string[]] {
  const [labels, annotations] = parsed(text).map((names) => (Array.isArray(names) ? names.map(String) : []))
  return [labels ?? [], annotations ?? []]
}

function parsed(text: unknown): readonly unknown[] {
  if (typeof text !== "string") return []
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? names : []
  } catch {
    return []
  }
}

/** A port keeps the number that it has on all nodes. */
function updatedSpec(before: Json, wanted: Json): Json {
  const known = listOf(before.ports)
  const ports = listOf(wanted.ports).map((port) => {
    const same = known.find((it) => it.port === port.port && it.protocol === port.protocol)
    return { ...(same?.nodePort !== undefined && { nodePort: same.nodePort }), ...port }
  })
  return { ...before, ...wanted, ports }
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

function foreign({ kind, metadata: { namespace, name } }: OwnObject): Failure {
  const message = `Cannot write ${kind} "${namespace}/${name}", which a Gateway needs: there is one that is not wick's; rename or delete it`
  return new Failure("object-foreign", message)
}
