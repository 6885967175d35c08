import type { CanaryValues } from "../../controller/core/annotations/values.ts"
import type { BackendRef } from "./backends.ts"
import type { Json, Remarks } from "./conversion.ts"

/** A canary of a path: who gets a share of its requests, and which. */
export interface Canary {
  readonly values: CanaryValues
  readonly backend: BackendRef
  /** its path, as in a Problem */
  readonly field: string
  /** of its own Ingress */
  readonly remarks: Remarks
}

/** Who serves a path, depending on the request: rules that go before, and the backends of all other requests. */
export interface Shared {
  readonly before: readonly { readonly headers: readonly Json[]; readonly backendRefs: readonly Json[] }[]
  readonly backendRefs: readonly Json[]
}

/** A header decides before weights do. */
export function sharedWith(backend: BackendRef, canaries: readonly Canary[]): Shared {
  const own = { ...backend }
  const weighted = canaries.flatMap(({ values, backend: other }) => {
    const { weight = 0, weightTotal = 100 } = values
    return weight > 0
      ? [{ other, weight: Math.min(weight, weightTotal), of: Math.max(weightTotal, 100) }]
      : []
  })
  const isEven = weighted.every(({ weight, of }) => (weight * fewParts) % of === 0)
  const parts = isEven ? fewParts : maxWeight
  const left = weighted.reduce((rest, { weight, of }) => rest - weight / of, 1)
  const backendRefs =
    weighted.length === 0
      ? [own]
      : [
          { ...own, weight: Math.max(0, Math.round(left * parts)) },
          ...weighted.map(({ other, weight, of }) => ({
            ...other,
            weight: Math.round((weight / of) * parts),
          })),
        ]
  return { before: canaries.flatMap((canary) => byHeader(canary, own)), backendRefs }
}

/** What weights add up to where that is enough to tell them, and the most that one may be. Source: BackendRef, "weight". */
const fewParts = 1000
const maxWeight = 1_000_000

function byHeader({ values, backend }: Canary, own: Json): Shared["before"] {
  const { header: name, headerValue, headerPattern } = values
  if (name === undefined) return []
  const rule = (value: string, to: Json, type = "Exact") => ({
    headers: [{ name, type, value }],
    backendRefs: [to],
  })
  if (headerValue !== undefined) return [rule(headerValue, { ...backend })]
  if (headerPattern !== undefined) return [rule(headerPattern, { ...backend }, "RegularExpression")]
  return [rule("always", { ...backend }), rule("never", own)]
}
