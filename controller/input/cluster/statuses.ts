import type { Kind } from "../../model/objects/object.ts"
import type { StatusAddress, Statuses } from "../provider/status.ts"
import type { Api } from "./api.ts"
import { GatewayStatuses } from "./gateway-status/gateway-statuses.ts"
import { ObjectStatuses } from "./object-statuses.ts"
import { ingressPart } from "./status-parts.ts"

/** The statuses of all kinds that this controller writes to. */
export class ClusterStatuses implements Statuses {
  readonly Ingress: ObjectStatuses<readonly StatusAddress[]>
  readonly gatewayApi: GatewayStatuses

  /** @param gatewayControllerName `--gateway-controller-name` */
  constructor(api: Pick<Api, "send">, gatewayControllerName: string) {
    this.Ingress = new ObjectStatuses(api, "Ingress", ingressPart)
    this.gatewayApi = new GatewayStatuses(api, gatewayControllerName)
  }

  /** @param object as the API server sent it; undefined when it is gone */
  observe(kind: Kind, name: string, object: unknown): void {
    if (kind === "Ingress") this.Ingress.observe(name, object)
    else this.gatewayApi.observe(kind, name, object)
  }
}
