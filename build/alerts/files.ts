import { stringify } from "yaml"
import { code, table } from "../reference/markdown.ts"
import { type Alert, alerts } from "./rules.ts"

/** Files by their path from the root: the chart ships the rules, and `deploy/alerts` leads there. */
export function alertFiles(): Readonly<Record<string, string>> {
  return {
    "deploy/chart/alerts/wick.yaml": `# Alerting rules for Prometheus, printed by \`npm run docs\` from build/alerts.\n${stringify({ groups: [group()] }, { lineWidth: 0 })}`,
    "docs/reference/alerts.md": page(),
  }
}

function group(): object {
  return { name: "wick", rules: alerts.map(ruleOf) }
}

/** Source: Prometheus, "Alerting rules". */
function ruleOf({ name, severity, expression, for: duration, summary, says }: Alert): object {
  return {
    alert: name,
    expr: expression,
    for: duration,
    labels: { severity },
    annotations: { summary, description: says },
  }
}

function page(): string {
  const rows = alerts.map(({ name, severity, for: duration, says }) => [code(name), severity, duration, says])
  return `# Alerts

Printed by \`npm run docs\` from \`build/alerts/rules.ts\`: the rules of [deploy/chart/alerts](../../deploy/chart/alerts/wick.yaml), for Prometheus as they are, or for the Prometheus
operator by \`controller.metrics.prometheusRule.defaultRules\` of the chart.

Severity: \`critical\`: clients notice, or will in days. \`warning\`: look at it today. \`info\`: know it when you look for something.

${table(["alert", "severity", "after", "what it means, and what to do"], rows)}
`
}
