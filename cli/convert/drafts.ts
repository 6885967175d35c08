import { distinctBy } from "../../controller/support/distinct.ts"
import { type GatewayObject, gatewayObject, type Json } from "./conversion.ts"
import { chunks, type ParentRef } from "./listeners.ts"

/** A route without its name, with as many rules as it likes. */
export interface Draft {
  readonly kind: "HTTPRoute" | "GRPCRoute" | "TLSRoute"
  readonly namespace: string
  /** of the Ingress */
  readonly name: string
  /** what tells it apart from others of the Ingress; "" for the first */
  readonly suffix: string
  /** at most `maxHostnames`; none: all hosts */
  readonly hostnames: readonly string[]
  readonly parentRefs: readonly ParentRef[]
  /** for wick, which reads them there; absent: none */
  readonly annotations?: Readonly<Record<string, string>>
  /** with `matches`, but in a TLSRoute */
  readonly rules: readonly Json[]
}

export const maxHostnames = 16
const maxRules = 16
const maxNameCharacters = 253

/** Routes with names, each of which is there once. */
export function routesOf(drafts: readonly Draft[]): readonly GatewayObject[] {
  const taken = new Set<string>()
  return drafts.flatMap((draft) =>
    chunks(draft.rules, maxRules).map((rules) => {
      const { kind, namespace, hostnames, parentRefs, annotations } = draft
      const name = freeName(draft, taken)
      const object = gatewayObject(kind, namespace, name, {
        parentRefs: distinctBy(parentRefs, (ref) => JSON.stringify(ref)),
        ...(hostnames.length > 0 && { hostnames: [...new Set(hostnames)] }),
        rules,
      })
      return annotations ? { ...object, metadata: { ...object.metadata, annotations } } : object
    }),
  )
}

function freeName({ kind, namespace, name, suffix }: Draft, taken: Set<string>): string {
  const base = (suffix === "" ? name : `${name}-${suffix}`)
    .slice(0, maxNameCharacters - 4)
    .replace(/[-.]+$/, "")
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`
    const key = `${kind} ${namespace}/${candidate}`
    if (taken.has(key)) continue
    taken.add(key)
    return candidate
  }
}
