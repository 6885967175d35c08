import { countsTable, plannedTable } from "./counts.ts"

/** Text of docs/reference/README.md. */
export function indexPage(): string {
  return `# Reference

Printed by \`npm run docs\` from the tables of the code. What wick honours of ingress-nginx 1.15:

${countsTable("")}

"Nothing to do": wick accepts them, and what they are about does not arise, such as sizes of tables that it does not have. Not counted are wick's own annotations and flags, keys
that ingress-nginx itself does nothing with, and the flags of its logging library.

${plannedTable()}

What goes wrong is in [problems.md](problems.md): every code with its meaning and remedy. Alerts are in [alerts.md](alerts.md). The values of the Helm chart are in [chart.md](chart.md), what becomes of nginx's directives in snippets in [snippets.md](snippets.md).
`
}
