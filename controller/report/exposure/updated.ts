import { managedBy } from "../../model/managed-by.ts"
import { recordOf } from "../../model/objects/reader.ts"
import { Failure } from "../../support/failure.ts"
import type { OwnObject } from "./wanted-objects.ts"

type Json = Readonly<Record<string, unknown>>

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
  const labels = recordOf(metadata.labels)
  if (labels[managedBy.name] !== managedBy.value) throw foreign(wanted)
  return {
    ...before,
    ...wanted,
    ...(wanted.kind === "Service" && { spec: updatedSpec(recordOf(before.spec), recordOf(wanted.spec)) }),
    metadata: {
      ...metadata,
      ...wanted.metadata,
      labels: { ...labels, ...wanted.metadata.labels },
      annotations: { ...recordOf(metadata.annotations), ...wanted.metadata.annotations },
    },
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
