import { Failure } from "../../support/failure.ts"
import type { ControlClient } from "../control/client.ts"

const path = "/drain"

/**
 * Has clients leave nginx, which goes on serving: each response is the last one of its connection (`ingress_drain`). An nginx that has died, or
 * that an older wick has configured, has nobody leave.
 */
export async function drain(client: Pick<ControlClient, "postAnew">): Promise<void> {
  await client.postAnew(path, "").catch(unlessLost)
}

/** Has them stay: a controller that was killed while clients left has left this behind. */
export async function stopDraining(client: Pick<ControlClient, "deleteAnew">): Promise<void> {
  await client.deleteAnew(path).catch(unlessLost)
}

function unlessLost(error: unknown): void {
  if (!(error instanceof Failure)) throw error
}
