import type { Driver } from "../nginx/driver.ts"
import { Health } from "../observe/health.ts"
import type { Metrics } from "../observe/metrics.ts"
import { startObserveServer } from "../observe/server.ts"
import type { Options } from "../options/flags.ts"

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
