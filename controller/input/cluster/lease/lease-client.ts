import { isRecord } from "../../../model/objects/reader.ts"
import { type Api, ApiFailure, type ApiRequest } from "../api.ts"
import type { Time } from "../time.ts"
import { type LeaseRecord, readLease } from "./lease-record.ts"

export interface AccessOptions {
  readonly api: Api
  readonly namespace: string
  readonly name: string
  /** stands in for a duration that a Lease lacks, milliseconds */
  readonly absentMs: number
  /** an answer that takes longer is of no use */
  readonly limitMs: number
  readonly time: Pick<Time, "sleep">
}

/** One Lease of the API server. Whatever it cannot do it throws as an ApiFailure. */
export class LeaseAccess {
  readonly #options: AccessOptions
  readonly #collection: string
  readonly #path: string

  constructor(options: AccessOptions) {
    this.#options = options
    this.#collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(options.namespace)}/leases`
    this.#path = `${this.#collection}/${encodeURIComponent(options.name)}`
  }

  /** Undefined when there is none. */
  async read(signal: AbortSignal): Promise<LeaseRecord | undefined> {
    const answer = await unless([404], this.#send({ method: "GET", path: this.#path }, signal))
    return answer && this.#parse(answer.value)
  }

  /**
   * Puts it in the place of what was read, or makes it.
   *
   * @param before undefined when there was none
   * @returns the Lease as it is then; undefined when somebody else has written since it was read
   */
  async write(
    before: LeaseRecord | undefined,
    body: unknown,
    signal: AbortSignal,
  ): Promise<LeaseRecord | undefined> {
    const isNew = before === undefined
    const answer = isNew
      ? await unless([409], this.#send({ method: "POST", path: this.#collection, body }, signal))
      : await unless([409, 404], this.#send({ method: "PUT", path: this.#path, body }, signal))
    return answer && this.#parse(answer.value)
  }

  /** The Lease whenever it is another, beginning with what it is now; `record` is undefined when it was deleted. */
  async *changes(signal: AbortSignal): AsyncGenerator<{ readonly record: LeaseRecord | undefined }> {
    const query = { watch: "true", fieldSelector: `metadata.name=${this.#options.name}` }
    const request: ApiRequest = { method: "GET", path: this.#collection, query }
    for await (const events of this.#options.api.watch(request, signal)) {
      for (const { type, object } of events.filter(isRecord)) {
        if (type === "DELETED") yield { record: undefined }
        if (type === "ADDED" || type === "MODIFIED") yield { record: this.#parse(object) }
      }
    }
  }

  async #send(request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    const { api, time, limitMs } = this.#options
    const limit = new AbortController()
    void time.sleep(limitMs, limit.signal).then(() => limit.abort())
    try {
      return await api.send(request, AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      if (!limit.signal.aborted) throw error
      throw new ApiFailure(`No answer for ${limitMs / 1000} s`, { status: 0 }, { cause: error })
    } finally {
      limit.abort()
    }
  }

  #parse(value: unknown): LeaseRecord {
    return readLease(value, this.#options.absentMs)
  }
}

/** @returns undefined when the answer is a refusal with one of these statuses */
async function unless(
  statuses: readonly number[],
  answer: Promise<unknown>,
): Promise<{ readonly value: unknown } | undefined> {
  try {
    return { value: await answer }
  } catch (error) {
    if (error instanceof ApiFailure && statuses.includes(error.status)) return undefined
    throw error
  }
}
