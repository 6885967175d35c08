import type { Dashboard } from "./dashboard.ts"
import { controllers, metric, ours } from "./queries.ts"

const end = `${metric}_ssl_expire_time_seconds{class=~"$class"}`
const info = `${metric}_ssl_certificate_info{class=~"$class"}`
const day = 86_400
const within = (days: number) =>
  `count(max by (host, identifier) (${end}) - time() < ${days} * ${day}) or vector(0)`

export const tls: Dashboard = {
  name: "tls",
  title: "wick / TLS",
  description: "Certificates that hosts show, and when they end",
  variables: controllers,
  rows: [
    {
      title: "Ends",
      panels: [
        {
          title: "First to end",
          says: "Time until it does. Negative: it has ended",
          kind: "number",
          unit: "s",
          levels: [14 * day, 3 * day],
          queries: { left: `min(${end}) - time()` },
        },
        {
          title: "Within 30 days",
          says: "Certificates of hosts that end in the next 30 days. Renewed ones leave when the Secret is updated",
          kind: "number",
          queries: { certificates: within(30) },
        },
        {
          title: "Within 7 days",
          says: "Whoever renews them should have done so",
          kind: "number",
          levels: [1, 1],
          queries: { certificates: within(7) },
        },
        {
          title: "Ended",
          says: "Clients refuse these",
          kind: "number",
          levels: [1, 1],
          queries: { certificates: within(0) },
        },
      ],
    },
    {
      title: "Certificates",
      panels: [
        {
          title: "By end",
          says: "The 50 that end first. Without a Secret: the certificate that the controller made itself",
          kind: "table",
          unit: "s",
          width: 16,
          queries: {
            "time left": `sort(bottomk(50, max by (host, $namespace_label, secret_name) (${end}) - time()))`,
          },
        },
        {
          title: "Hosts with the self-made certificate",
          says: "A tls section is about them, but there is no usable Secret. `_` stands for all other hosts",
          kind: "table",
          width: 8,
          none: "There are none",
          queries: { now: `max by (host) (${metric}_ssl_certificate_info{class=~"$class",secret_name=""})` },
        },
        {
          title: "By issuer",
          says: "Hosts by who issued their certificate",
          kind: "table",
          queries: {
            hosts: `count by (issuer_organization, issuer_common_name) (max by (host, issuer_organization, issuer_common_name) (${info}))`,
          },
        },
        {
          title: "By type of key",
          says: "A host with keys of two types counts twice",
          kind: "table",
          queries: {
            hosts: `count by (public_key_algorithm) (max by (host, identifier, public_key_algorithm) (${info}))`,
          },
        },
        {
          title: "Problems of Secrets, certificates and OCSP",
          says: "docs/reference/problems.md says what each means",
          kind: "stacked",
          none: "There are none",
          queries: {
            "{{code}}": `max by (code) (wick_problems{${ours},code=~"secret-.*|certificate-.*|.*-certificate.*|chain-.*|ocsp-.*"})`,
          },
        },
      ],
    },
  ],
}
