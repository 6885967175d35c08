import type { Provider } from "../input/provider/provider.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { readDetails } from "../report/observe/certificate-details.ts"
import { Health } from "../report/observe/health.ts"
import { startObserveServer } from "../report/observe/server.ts"
import type { Common } from "./common.ts"
import { observePlane } from "./metrics.ts"
import type { World } from "./world.ts"

/** Serves health and metrics, of nginx too. */
export async function observe(
  { options, plane, metrics }: World & Common & { readonly plane: DataPlane },
  stops: AsyncDisposableStack,
): Promise<{ readonly health: Health }> {
  observePlane(plane, metrics)
  const health = new Health(() => plane.generation !== undefined)
  const { healthzHost: host, healthzPort: port, healthCheckPath: healthPath } = options
  const server = await startObserveServer({ host, port, healthPath, health, metrics: metrics.kept })
  stops.defer(() => server.close())
  return { health }
}

/** Metrics of certificates: the leader tells when they end. */
export async function observeCertificates({
  plane,
  provider: { leadership },
  metrics,
}: Common & { readonly plane: DataPlane; readonly provider: Provider }): Promise<object> {
  const initial = readDetails(await plane.read.defaultCertificate())
  metrics.kept.sources.certificates = { initial, isLeader: () => leadership.isLeader }
  return {}
}
