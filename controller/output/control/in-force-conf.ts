import type { ControlClient } from "./client.ts"

/** What an nginx runs with. */
export interface ConfInForce {
  /** of the configuration */
  readonly hash: string
  /** `Build.id`; absent: an older wick has started it */
  readonly build?: string
}

/** What some worker that accepts connections says; undefined when none answers. */
export async function confInForce(client: ControlClient): Promise<ConfInForce | undefined> {
  const answer = await client.getAnew("/conf").catch(() => undefined)
  return answer?.status === 200 ? confIn(answer.body) : undefined
}

/** @param body of the answer to `GET /conf` */
export function confIn(body: string): ConfInForce {
  const [hash = "", build] = body.trim().split(" ")
  return { hash, ...(build !== undefined && { build }) }
}
