import { firstFault } from "../../modsecurity/fault-text.ts"
import { readRules } from "../../modsecurity/read-rules.ts"
import { family, type KeySyntax, key } from "../key.ts"
import { accepted, boolean, emptyIs, type Parser, refused } from "../parser.ts"
import { none, type Syntax, values } from "../usage.ts"
import { size, wordOf } from "./syntax.ts"

/** null: it cannot be read, and may be there to keep requests out. */
const switched: KeySyntax<boolean | null> = {
  parse: (text) => emptyIs(false, boolean)(text.trim()),
  values: values.boolean,
}
const closed = { value: null, state: "cannot be used, so requests get 503 where ModSecurity is on" } as const

const rules: KeySyntax<string | null> = {
  values: "[directives of ModSecurity](../guides/modsecurity.md)",
  parse: (text) => {
    const read = readRules(text)
    return read.kind === "rules" ? accepted(text.trim() === "" ? "" : text) : refused(firstFault(read.faults))
  },
}

const folder: Parser<string> = (text) => {
  if (text === "" || text === "off") return accepted("")
  const isPlain = /^(\/[A-Za-z0-9._-]+)+$/.test(text) && !/\/\.{1,2}(\/|$)/.test(text)
  return isPlain && text.length <= 256
    ? accepted(text)
    : refused("write off, or the absolute path of a folder")
}

const auditLog: Syntax<string> = { values: "`off`, or the absolute path of a folder", parse: folder }

/** A web application firewall (docs/guides/modsecurity.md). */
export const modsecurity = family("Web application firewall", {
  enablesModsecurity: key("enable-modsecurity", switched, "false", {
    example: "true",
    whenRefused: {
      ...closed,
      state: "cannot be used, so requests get 503 on the paths of all Ingresses that do not switch it off",
    },
    description:
      "rules of ModSecurity look at the requests of all Ingresses: those of `modsecurity-snippet`, or without one the recommended ones, which only report. An Ingress may switch them off for its paths",
  }),
  hasCoreRules: key("enable-owasp-modsecurity-crs", switched, "false", {
    example: "true",
    exampleWith: { keys: { "enable-modsecurity": "true" } },
    whenRefused: closed,
    description: "the OWASP Core Rule Set for all Ingresses, with `enable-modsecurity`",
  }),
  modsecuritySnippet: key("modsecurity-snippet", rules, "", {
    shownDefault: none,
    example: "SecRuleEngine On",
    exampleWith: { keys: { "enable-modsecurity": "true" } },
    whenRefused: closed,
    description:
      "rules and settings of all Ingresses, with `enable-modsecurity`, in the place of the recommended ones; what an Ingress says counts before them",
  }),
  crsVersion: key("modsecurity-crs-version", wordOf("4.22.0", "4.25.0"), "4.22.0", {
    example: "4.25.0",
    description:
      "wick's own: which version of the OWASP Core Rule Set is meant; 4.22.0 is that of ingress-nginx 1.15",
  }),
  modsecurityFallback: key("modsecurity-fallback", wordOf("closed", "open"), "closed", {
    example: "open",
    description:
      "wick's own: what becomes of requests that rules should look at where the library or the rules of ModSecurity are not installed: 503, or they get in unseen. Rules that cannot be used close in any case",
  }),
  modsecurityAuditLog: key("modsecurity-audit-log", auditLog, "off", {
    example: "/var/log/audit",
    description:
      "wick's own: the folder of ModSecurity's audit log, a file for each request that is logged. It has to be there, and nginx's workers have to be able to write it. `off`: nothing is logged",
  }),
  modsecurityAuditLogMaxBytes: key("modsecurity-audit-log-max-size", size(1024 * 1024), "100m", {
    example: "1g",
    description: "wick's own: how large the audit log may become; its oldest files are removed",
  }),
})
