import type { Provider } from "../input/provider/provider.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import type { Health } from "../report/observe/health.ts"
import type { Status } from "../report/status/status.ts"
import type { Traces } from "../report/traces/traces.ts"
import { sleep } from "../support/abort.ts"
import type { World } from "./world.ts"

/**
 * How long a Pod that ends serves at least. Kubernetes runs its hook and takes it out of its Services at the same time, and every node hears of
 * that when it hears of it: kube-proxy alone waits up to a second. Connections that come until then would be refused.
 */
const minLeaveSeconds = 10

export interface Running extends World {
  readonly plane: DataPlane
  readonly health: Health
  readonly provider: Provider
  readonly status: Status
  readonly traces: Traces
  readonly settle: () => Promise<void>
}

/** The orderly end: clients leave, what has begun is ended, then nginx. Parts are stopped after that. */
export async function leave(running: Running): Promise<void> {
  const { options, log, plane, health, provider, status, traces, settle, stopNow } = running
  log.info("Stopping")
  health.stopping()
  const leaveMs = 1000 * Math.max(options.shutdownGracePeriod, running.isLeaving() ? minLeaveSeconds : 0)
  if (leaveMs > 0) await plane.drain()
  await sleep(leaveMs, stopNow)
  await Promise.all([settle(), status.stop(), traces.stop()])
  // nginx lets requests end meanwhile: the API server may be slow, or gone
  await Promise.all([withdraw(status, provider, stopNow), plane.stop(stopNow)])
  await sleep(options.postShutdownGracePeriod * 1000, stopNow)
}

/** The last words to the cluster; who takes over need not wait for nginx. */
async function withdraw(status: Status, provider: Provider, stopNow: AbortSignal): Promise<void> {
  await status.withdraw(stopNow)
  await provider.close()
}
