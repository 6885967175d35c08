import type { FilterCounters } from "../../model/filter-counters.ts"
import type { PolicyCounters } from "../../model/policy-counters.ts"
import type { StreamCounters } from "../../model/stream-counters.ts"
import { parseStreamName } from "../../model/stream-listener.ts"
import type { ZoneFill, ZoneShortages } from "../../model/zone-fill.ts"
import type { ControlClient } from "./client.ts"

// What nginx counts, asked for by who prints it. Nothing is known of an nginx that does not answer, or is too old to say.

type Client = Pick<ControlClient, "get">

export async function readPolicyCounters(client: Client): Promise<readonly PolicyCounters[]> {
  return (await read<readonly PolicyCounters[]>(client, "/policies")) ?? []
}

export function readFilterCounters(client: Client): Promise<FilterCounters | undefined> {
  return read(client, "/filter")
}

export async function readStreamCounters(client: Client): Promise<readonly StreamCounters[]> {
  return ((await read<readonly CountedStream[]>(client, "/streams")) ?? []).map(countersOf)
}

export async function readZones(client: Client): Promise<readonly ZoneFill[]> {
  return (await read<readonly ZoneFill[]>(client, "/zones")) ?? []
}

export function readShortages(client: Client): Promise<ZoneShortages | undefined> {
  return read(client, "/shortages")
}

async function read<T>(client: Client, path: string): Promise<T | undefined> {
  const { status, body } = await client.get(path).catch(() => ({ status: 0, body: "" }))
  return status === 200 && body !== "" ? JSON.parse(body) : undefined
}

/** As nginx prints it. */
interface CountedStream {
  readonly name: string
  readonly sessions: number
  readonly ended: number
  readonly failed: number
  readonly refused: Readonly<Record<string, number>>
  readonly received_bytes: number
  readonly sent_bytes: number
  readonly duration_ms: number
  readonly connected: number
  readonly connect_ms: number
}

function countersOf({ name, sessions, ended, failed, refused, connected, ...more }: CountedStream) {
  return {
    ...parseStreamName(name),
    ...{ sessions, ended, failed, refused, connected },
    receivedBytes: more.received_bytes,
    sentBytes: more.sent_bytes,
    durationMs: more.duration_ms,
    connectMs: more.connect_ms,
  }
}
