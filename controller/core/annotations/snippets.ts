import type { Ingress } from "../../model/objects/ingress.ts"
import { isOff } from "../options/keys/snippets.ts"
import { guardIn } from "../snippets/guards.ts"
import { type Family, type PlannedGuard, planned } from "./entry.ts"

const parsed = { scope: "ingress", risk: "parsed" } as const
const critical = { scope: "ingress", risk: "critical" } as const

const firewall: PlannedGuard = {
  closes: "paths",
  find: (text) => (isOff(text) ? undefined : "ModSecurity is switched on"),
}

/** Text that goes into nginx.conf as it is, and ModSecurity. What says how ModSecurity does its work keeps nobody out by itself, as for ingress-nginx. */
export const snippetAnnotations = {
  configurationSnippet: planned("configuration-snippet", "snippets-and-waf", {
    ...parsed,
    scope: "location",
    guards: { closes: "paths", find: (text) => guardIn(text, "location") },
  }),
  serverSnippet: planned("server-snippet", "snippets-and-waf", {
    ...parsed,
    guards: { closes: "hosts", find: (text) => guardIn(text, "server") },
  }),
  streamSnippet: planned("stream-snippet", "snippets-and-waf", parsed),
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
