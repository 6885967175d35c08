// What the kubelet tells the API server of a Pod.
import { ApiError, type ApiObject, type Client } from "../../harness/cluster/client.ts"
import { nodeAddress } from "./network.ts"

export interface PodState {
  readonly address: string
  readonly isReady: boolean
  readonly restarts: number
}

export class PodStatus {
  readonly #pod: ApiObject
  readonly #client: Client
  readonly #startedAt = new Date().toISOString()
  #written: Promise<void> = Promise.resolve()

  constructor(pod: ApiObject, client: Client) {
    this.#pod = pod
    this.#client = client
  }

  /** One after the other: the API server has the latest when all are done. */
  report(state: PodState): void {
    this.#written = this.#written.then(() => this.#write(state)).catch(unlessGone)
  }

  /** The Pod has ended: the object may go. */
  async forget(): Promise<void> {
    await this.#written
    const { uid, namespace, name } = this.#pod.metadata
    const body = { gracePeriodSeconds: 0, preconditions: { uid } }
    await this.#client
      .send("DELETE", `/api/v1/namespaces/${namespace}/pods/${name}`, { body })
      .catch(unlessGone)
  }

  async #write({ address, isReady, restarts }: PodState): Promise<void> {
    const { metadata, spec } = this.#pod
    const { name, image } = spec.containers[0]
    const is = (type: string, value: boolean) => ({ type, status: value ? "True" : "False" })
    const ready = ["ContainersReady", "Ready"].map((type) => is(type, isReady))
    const state = { running: { startedAt: this.#startedAt } }
    const container = { name, image, imageID: image, ready: isReady, started: true, restartCount: restarts }
    const status = {
      phase: "Running",
      podIP: address,
      podIPs: [{ ip: address }],
      hostIP: nodeAddress,
      startTime: this.#startedAt,
      conditions: [is("PodScheduled", true), is("Initialized", true), ...ready],
      containerStatuses: [{ ...container, state }],
    }
    await this.#client.patch("Pod", `${metadata.namespace}/${metadata.name}`, { status }, "status")
  }
}

/** Somebody may have deleted it by force. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error
}
