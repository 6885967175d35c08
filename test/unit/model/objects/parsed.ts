import type { KubernetesObject } from "../../../../controller/model/objects/object.ts"
import { type Parsed, parseObject } from "../../../../controller/model/objects/parse.ts"

const options = { firstSeenMs: () => 1000, origin: "cart.yaml:7" }
export const parse = (value: unknown): Parsed => parseObject(value, options)

/** @throws Error when it is refused */
export function object(value: unknown): KubernetesObject {
  const parsed = parse(value)
  if (parsed.kind !== "object") throw new Error(JSON.stringify(parsed))
  return parsed.object
}

/** `field code` of each Problem. */
export function findings(value: unknown): readonly string[] {
  return parse(value).problems.map(({ field, code }) => `${field} ${code}`)
}

export const networking = "networking.k8s.io/v1"
export const metadata = { name: "cart", namespace: "shop" }
export const ingress = (spec: unknown, meta: unknown = metadata) => ({
  apiVersion: networking,
  kind: "Ingress",
  metadata: meta,
  spec,
})
export const backend = { service: { name: "cart", port: { number: 80 } } }
