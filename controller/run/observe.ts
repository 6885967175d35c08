import { readFile } from "node:fs/promises"
import type { Options } from "../core/options/flags.ts"
import type { Provider } from "../input/provider/provider.ts"
import type { Driver } from "../output/nginx/driver.ts"
import { readDetails } from "../report/observe/certificate-details.ts"
import { Health } from "../report/observe/health.ts"
import type { Metrics } from "../report/observe/metrics.ts"
import { startObserveServer } from "../report/observe/server.ts"
import type { Place } from "./nginx.ts"

/** Serves health and metrics, of nginx too. */
export async function observe(
  options: Options,
  driver: Driver,
  metrics: Metrics,
  stack: AsyncDisposableStack,
): Promise<Health> {
  const masterPid = () => driver.masterPid
  metrics.observeNginx({ statusUrl: `http://127.0.0.1:${options.statusPort}/nginx_status`, masterPid })
  const health = new Health(() => masterPid() !== undefined)
  const { healthzHost: host, healthzPort: port, healthCheckPath: healthPath } = options
  const server = await startObserveServer({ host, port, healthPath, health, metrics })
  stack.defer(() => server.close())
  return health
}

/** Metrics of certificates: the leader tells when they end. */
export async function observeCertificates(
  { layout }: Place,
  { leadership }: Provider,
  metrics: Pick<Metrics, "observeCertificates">,
): Promise<void> {
  const initial = readDetails(await readFile(layout.certificate))
  metrics.observeCertificates({ initial, isLeader: () => leadership.isLeader })
}
