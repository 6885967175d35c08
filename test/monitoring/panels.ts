// The panels of our own dashboards, and which of them are empty while wick serves test/monitoring/monitored.ts.
import type { Dashboard, Panel } from "../../build/dashboards/dashboard.ts"
import type { PanelQuery } from "./reference-queries.ts"

export function panelsOf({ rows }: Dashboard): readonly Panel[] {
  return rows.flatMap(({ panels }) => panels)
}

/** One for each query. */
export function panelQueries({ title, queries }: Panel): readonly PanelQuery[] {
  const why = empty[title]
  return Object.entries(queries).map(([legend, query]) => ({
    panel: `${title}: ${legend}`,
    query,
    ...(why && { empty: { when: "always" as const, why } }),
  }))
}

/** Title → why there is nothing to show. */
export const empty: Readonly<Record<string, string>> = {
  "Requests that no Ingress is about": "all requests are for hosts of Ingresses",
  Picks: "nobody brought a balancing policy",
  "Left to round robin": "nobody brought a balancing policy",
  "Time of a pick": "nobody brought a balancing policy",
  "Taken back": "nobody brought a balancing policy",
  "Problems of Secrets, certificates and OCSP": "the certificate is fine",
  "Last sign of life": "objects come from files",
  "Watches in trouble": "objects come from files",
  "Failures of lists and watches": "objects come from files",
  Leader: "objects come from files",
  "Checks of the admission webhook": "nobody asks the webhook",
  "Events given up": "objects come from files",
}
