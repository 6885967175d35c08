// What a cloud does for Services of type LoadBalancer: gives each an address in front of the node.
import { ApiError, type ApiObject, type Client } from "../../harness/cluster/client.ts"
import { balancerAddress } from "./network.ts"

const places = 254

export class Balancers {
  readonly #client: Client
  /** By the uid of its Service. */
  readonly #given = new Map<string, string>()

  constructor(client: Client) {
    this.#client = client
  }

  /** Of every change of a Service. One that asks for an address gets that one or none. */
  async take({ metadata, spec }: ApiObject, isDeleted: boolean): Promise<void> {
    const { uid, namespace, name } = metadata
    if (isDeleted || spec.type !== "LoadBalancer") this.#given.delete(uid)
    else if (!this.#given.has(uid)) {
      const ip = this.#free(spec.loadBalancerIP)
      if (ip === undefined) return
      this.#given.set(uid, ip)
      await this.#publish(`${namespace}/${name}`, ip)
    }
  }

  #free(wanted?: string): string | undefined {
    const taken = new Set(this.#given.values())
    const all = Array.from({ length: places }, (_, at) => balancerAddress(at + 1))
    return all.find((ip) => !taken.has(ip) && (wanted === undefined || ip === wanted))
  }

  async #publish(service: string, ip: string): Promise<void> {
    const status = { loadBalancer: { ingress: [{ ip }] } }
    await this.#client.patch("Service", service, { status }, "status").catch((error) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error
    })
  }
}
