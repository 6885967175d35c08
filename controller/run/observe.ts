import type { Options } from "../core/options/flags.ts"
import type { Provider } from "../input/provider/provider.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { readDetails } from "../report/observe/certificate-details.ts"
import { Health } from "../report/observe/health.ts"
import { startObserveServer } from "../report/observe/server.ts"
import { type Metrics, observePlane } from "./metrics.ts"

/** Serves health and metrics, of nginx too. */
export async function observe(
  options: Options,
  plane: DataPlane,
  metrics: Metrics,
  stack: AsyncDisposableStack,
): Promise<Health> {
  observePlane(plane, metrics)
  const health = new Health(() => plane.generation !== undefined)
  const { healthzHost: host, healthzPort: port, healthCheckPath: healthPath } = options
  const server = await startObserveServer({ host, port, healthPath, health, metrics: metrics.kept })
  stack.defer(() => server.close())
  return health
}

/** Metrics of certificates: the leader tells when they end. */
export async function observeCertificates(
  { read }: DataPlane,
  { leadership }: Provider,
  { kept }: Metrics,
): Promise<void> {
  const initial = readDetails(await read.defaultCertificate())
  kept.sources.certificates = { initial, isLeader: () => leadership.isLeader }
}
