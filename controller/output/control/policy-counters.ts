import type { PolicyCounters } from "../../model/policy-counters.ts"
import type { ControlClient } from "./client.ts"

/** None of an nginx that does not answer, or is too old to say. */
export async function readPolicyCounters(
  client: Pick<ControlClient, "get">,
): Promise<readonly PolicyCounters[]> {
  const { status, body } = await client.get("/policies").catch(() => ({ status: 0, body: "" }))
  return status === 200 && body !== "" ? JSON.parse(body) : []
}
