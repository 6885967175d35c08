import { ApiFailure, type ApiRequest } from "../../controller/input/cluster/api.ts"
import { isRecord } from "../../controller/model/objects/reader.ts"
import { Failure } from "../../controller/support/failure.ts"
import type { Log } from "../../controller/support/log.ts"

/** Asks the API server, again where that is worth it. @throws ApiFailure */
export type Send = (request: ApiRequest) => Promise<unknown>

/** What everything here is done with. */
export interface Surroundings {
  readonly send: Send
  readonly nowMs: number
  readonly log: Pick<Log, "info">
}

/** An object as the API server has it. */
export type Json = Readonly<Record<string, unknown>>

/** How often an object may be somebody else's first. */
const maxTries = 5

/** @returns undefined when there is none */
export async function read(send: Send, path: string): Promise<Json | undefined> {
  try {
    return record(await send({ method: "GET", path }))
  } catch (error) {
    if (hasStatus(error, 404)) return undefined
    throw error
  }
}

/** Does it again when somebody else has changed the object meanwhile. */
export async function withoutConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let made = 1; made < maxTries; made += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!hasStatus(error, 409)) throw error
    }
  }
  return attempt()
}

function hasStatus(error: unknown, status: number): error is ApiFailure {
  return error instanceof ApiFailure && error.status === status
}

/** @throws Failure `answer-bad` */
function record(value: unknown): Json {
  if (isRecord(value)) return value
  throw new Failure("answer-bad", "The API server's answer is no object")
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64")
}
