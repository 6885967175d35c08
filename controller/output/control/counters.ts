import type { FilterCounters } from "../../model/filter-counters.ts"
import type { PolicyCounters } from "../../model/policy-counters.ts"
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
