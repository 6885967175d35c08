import type { FilterCounters } from "../../model/filter-counters.ts"
import type { ControlClient } from "./client.ts"

/** Undefined of an nginx that does not answer, or is too old to say. */
export async function readFilterCounters(
  client: Pick<ControlClient, "get">,
): Promise<FilterCounters | undefined> {
  const { status, body } = await client.get("/filter").catch(() => ({ status: 0, body: "" }))
  return status === 200 ? JSON.parse(body) : undefined
}
