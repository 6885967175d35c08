import type { BackendRef as ObjectBackend } from "../../../model/objects/gateway/references.ts"
import type { DeclaredBackend } from "../../declared/backend.ts"
import type { BackendRef } from "../../declared/backend-ref.ts"
import { usualBalancing } from "../../declared/load-balancing.ts"

/**
 * A Service port as routes of the Gateway API name it. A colon comes before the slash in its key, which is its name, too: so it is no backend of an
 * Ingress.
 */
export function gatewayBackendRef({ namespace, name, port }: Omit<ObjectBackend, "weight">): BackendRef {
  const serviceKey = `${namespace}/${name}`
  const key = `gateway:${serviceKey}:${port ?? ""}`
  return { key, serviceKey, service: name, port: String(port ?? ""), shortName: key, protocol: "TCP" }
}

export function declaredBackend(ref: BackendRef): DeclaredBackend {
  return { ref, name: ref.shortName, loadBalancing: usualBalancing, fields: {} }
}
