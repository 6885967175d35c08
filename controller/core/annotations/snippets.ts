import { type Family, planned } from "./entry.ts"

const critical = { scope: "ingress", risk: "critical" } as const

/** Text that goes into nginx.conf as it is, and ModSecurity. */
export const snippetAnnotations = {
  configurationSnippet: planned("configuration-snippet", "snippets-and-waf", {
    ...critical,
    scope: "location",
  }),
  serverSnippet: planned("server-snippet", "snippets-and-waf", critical),
  streamSnippet: planned("stream-snippet", "snippets-and-waf", critical),
  enableModsecurity: planned("enable-modsecurity", "snippets-and-waf", { ...critical, risk: "low" }),
  enableOwaspCoreRules: planned("enable-owasp-core-rules", "snippets-and-waf", { ...critical, risk: "low" }),
  modsecurityTransactionId: planned("modsecurity-transaction-id", "snippets-and-waf", {
    ...critical,
    risk: "high",
  }),
  modsecuritySnippet: planned("modsecurity-snippet", "snippets-and-waf", critical),
} satisfies Family
