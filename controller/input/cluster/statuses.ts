import { readIngressStatus, type StatusAddress, sameAddresses } from "../../model/objects/status-address.ts"
import { Failure, reasonOf } from "../../support/failure.ts"
import type { Statuses } from "../provider/status.ts"
import { type Api, ApiFailure } from "./api.ts"
import { pathOfObject } from "./kinds.ts"

/**
 * The status of every Ingress, as it was last seen in the API server or written to it. It is no part of the objects that the store keeps: a
 * status that was written must not look like a change.
 */
export class IngressStatuses implements Statuses {
  readonly #api: Api
  readonly #seen = new Map<string, readonly StatusAddress[]>()
  /** nearly all Ingresses have the same addresses: one list for them */
  #usual: readonly StatusAddress[] = []

  constructor(api: Api) {
    this.#api = api
  }

  /** @param raw the Ingress as the API server sent it; undefined when it is gone */
  observe(ingress: string, raw: unknown): void {
    if (raw === undefined) this.#seen.delete(ingress)
    else this.#seen.set(ingress, this.#shared(readIngressStatus(raw)))
  }

  current(ingress: string): readonly StatusAddress[] | undefined {
    return this.#seen.get(ingress)
  }

  async write(ingress: string, addresses: readonly StatusAddress[], signal: AbortSignal): Promise<void> {
    try {
      await this.#replace(ingress, addresses, signal).catch((error: unknown) => {
        if (statusOf(error) !== 409) throw error
        // somebody else wrote in between: with what is there now
        return this.#replace(ingress, addresses, signal)
      })
    } catch (error) {
      if (statusOf(error) !== 404) throw explained(ingress, error)
    }
  }

  /** As an update of the whole object: the right to patch is not among those that ingress-nginx has. */
  async #replace(ingress: string, addresses: readonly StatusAddress[], signal: AbortSignal): Promise<void> {
    const path = pathOf(ingress)
    const before = this.#seen.get(ingress)
    const found = await this.#api.send({ method: "GET", path }, signal)
    if (!sameAddresses(readIngressStatus(found), addresses))
      await this.#api.send(
        { method: "PUT", path: `${path}/status`, body: withStatus(found, addresses) },
        signal,
      )
    // What was seen meanwhile may be newer.
    if (before !== undefined && this.#seen.get(ingress) === before)
      this.#seen.set(ingress, this.#shared(addresses))
  }

  #shared(addresses: readonly StatusAddress[]): readonly StatusAddress[] {
    if (!sameAddresses(this.#usual, addresses)) this.#usual = addresses
    return this.#usual
  }
}

function pathOf(ingress: string): string {
  const [namespace = "", name = ""] = ingress.split("/")
  return pathOfObject("Ingress", { namespace, name })
}

/** The object as it was, with other addresses. */
function withStatus(found: unknown, addresses: readonly StatusAddress[]): unknown {
  const ingress = addresses.map(({ ip, hostname }) => ({
    ...(ip !== "" && { ip }),
    ...(hostname !== "" && { hostname }),
  }))
  return { ...Object(found), status: { loadBalancer: { ingress } } }
}

/** Of the HTTP answer; 0 when there was none. */
function statusOf(error: unknown): number {
  return error instanceof ApiFailure ? error.status : 0
}

/** An answer that is about this one object leaves the others a chance; without a proper answer nobody has one. */
function explained(ingress: string, error: unknown): unknown {
  const status = statusOf(error)
  if (status < 400 || status >= 500 || ofAll.has(status)) return error
  const message = `Cannot write the status of Ingress ${JSON.stringify(ingress)}: ${reasonOf(error)}`
  return new Failure("status-refused", message, { cause: error })
}

/** Unauthorized, Request Timeout, Too Many Requests. */
const ofAll: ReadonlySet<number> = new Set([401, 408, 429])
