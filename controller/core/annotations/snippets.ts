import type { Ingress } from "../../model/objects/ingress.ts"
import { isOff } from "../options/keys/snippets.ts"
import { accepted } from "../options/parser.ts"
import { none } from "../options/usage.ts"
import { type Family, type PlannedGuard, planned } from "./entry.ts"

const critical = { scope: "ingress", risk: "critical" } as const

const firewall: PlannedGuard = {
  closes: "paths",
  find: (text) => (isOff(text) ? undefined : "ModSecurity is switched on"),
}

/** Directives of nginx, which are compiled (core/snippets) where it is known what they stand in. */
export const snippet = {
  section: "Snippets",
  risk: "parsed",
  since: "0.1.0",
  parse: (text: string) => accepted(text),
  keepsLines: true,
  values: "[directives of nginx](../guides/snippets.md)",
  default: none,
} as const

/** Snippets, and ModSecurity. What says how ModSecurity does its work keeps nobody out by itself, as for ingress-nginx. */
export const snippetAnnotations = {
  ofPaths: {
    ...snippet,
    name: "configuration-snippet",
    scope: "location",
    example: 'more_set_headers "X-Shop: yes";',
    whenRefused: "requests get 503",
    description: "what nginx shall do in the location of each path",
  },
  ofHosts: {
    ...snippet,
    name: "server-snippet",
    scope: "server",
    example: "location = /health { return 200; }",
    whenRefused: "requests get 503 on all paths of the namespace on the hosts of the Ingress",
    description:
      "what nginx shall do in the server block of each host, location blocks of its own included. Of several Ingresses of a host the oldest has its one in force; those of other namespaces than [the host's own](../security.md#owners-of-hosts) have none",
  },
  ofPorts: {
    ...snippet,
    name: "stream-snippet",
    scope: "ingress",
    idle: "refused",
    // Any directive would be a Problem.
    example: "# see 3306 in the ConfigMap of TCP services",
    description:
      "which ports are open is [the operator's matter](../guides/tcp-udp.md): a Problem says the entry that does the same",
  },
  enableModsecurity: planned("enable-modsecurity", "snippets-and-waf", {
    ...critical,
    risk: "low",
    guards: firewall,
  }),
  enableOwaspCoreRules: planned("enable-owasp-core-rules", "snippets-and-waf", { ...critical, risk: "low" }),
  modsecurityTransactionId: planned("modsecurity-transaction-id", "snippets-and-waf", {
    ...critical,
    risk: "high",
  }),
  modsecuritySnippet: planned("modsecurity-snippet", "snippets-and-waf", critical),
} satisfies Family

/** Whether the Ingress switches ModSecurity off for its paths, where the ConfigMap has it on. @param prefix `--annotations-prefix` */
export function switchesFirewallOff({ meta }: Ingress, prefix: string): boolean {
  const text = meta.annotations[`${prefix}/${snippetAnnotations.enableModsecurity.name}`]
  return text !== undefined && isOff(text)
}
