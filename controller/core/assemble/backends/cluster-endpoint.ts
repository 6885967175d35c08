import type { Endpoint } from "../../../model/backend.ts"
import type { Service, ServicePort } from "../../../model/objects/service.ts"
import { shown } from "../../../model/shown.ts"
import { type EndpointRules, judgeEndpoint } from "../../../support/judge-endpoint.ts"

/** The one endpoint that `service-upstream` asks for, or why there is none. */
export type ClusterEndpoint =
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint }
  | { readonly kind: "refused"; readonly reason: string }

/** The Service's own address and port: the cluster's network chooses among the endpoints then. */
export function clusterEndpoint(
  { clusterIp }: Service,
  { port }: ServicePort,
  rules: EndpointRules,
): ClusterEndpoint {
  if (clusterIp === "" || clusterIp === "None") return { kind: "refused", reason: "it has none" }
  const verdict = judgeEndpoint(clusterIp, port, rules)
  return verdict.kind === "usable"
    ? { kind: "endpoint", endpoint: { address: verdict.address, port } }
    : { kind: "refused", reason: `it is ${shown(clusterIp)}, and ${verdict.reason}` }
}
