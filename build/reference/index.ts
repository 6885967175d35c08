import { countsTable } from "./counts.ts"

/** Text of docs/reference/README.md. */
export function indexPage(): string {
  return `# Reference

Printed by \`npm run docs\` from the tables of the code. What wick honours of ingress-nginx 1.15:

${countsTable("")}

"Nothing to do": wick accepts them, and what they are about does not arise, such as sizes of tables that it does not have. "Refused": it accepts them and does not do what they ask for.
[coverage.md](coverage.md) has every name, with the reason and what to do instead. Not counted are the flags of the logging library, and what only wick has.

What goes wrong is in [problems.md](problems.md): every code with its meaning and remedy. Alerts are in [alerts.md](alerts.md). The values of the Helm chart are in [chart.md](chart.md), what becomes of nginx's directives in snippets in [snippets.md](snippets.md).
`
}
