import type { Options } from "../core/options/flags.ts"
import type { Provider } from "../input/provider/provider.ts"
import type { DataPlane } from "../output/plane/plane.ts"
import { readDetails } from "../report/observe/certificate-details.ts"
import { Health } from "../report/observe/health.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import { startObserveServer } from "../report/observe/server.ts"

/** Serves health and metrics, of nginx too. */
export async function observe(
  options: Options,
  plane: DataPlane,
  metrics: Metrics,
  stack: AsyncDisposableStack,
): Promise<Health> {
  metrics.observeNginx(plane.read)
  const health = new Health(() => plane.generation !== undefined)
  const { healthzHost: host, healthzPort: port, healthCheckPath: healthPath } = options
  const server = await startObserveServer({ host, port, healthPath, health, metrics })
  stack.defer(() => server.close())
  return health
}

/** Metrics of certificates: the leader tells when they end. */
export async function observeCertificates(
  { read }: DataPlane,
  { leadership }: Provider,
  metrics: Pick<Metrics, "observeCertificates">,
): Promise<void> {
  const initial = readDetails(await read.defaultCertificate())
  metrics.observeCertificates({ initial, isLeader: () => leadership.isLeader })
}
