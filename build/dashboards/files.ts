import { balancing } from "./balancing.ts"
import { controller } from "./controller.ts"
import { grafanaJson } from "./grafana.ts"
import { ingress } from "./ingress.ts"
import { overview } from "./overview.ts"
import { tls } from "./tls.ts"

export const dashboards = [overview, ingress, balancing, tls, controller]

/** Files by their path from the root: the chart ships them, and `deploy/dashboards` leads there. */
export function dashboardFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    dashboards.map((dashboard) => [
      `deploy/chart/dashboards/wick-${dashboard.name}.json`,
      grafanaJson(dashboard),
    ]),
  )
}
