import { guardIn } from "../../snippets/guards.ts"
import type { SnippetPlace } from "../../snippets/harmless.ts"
import { family, type KeyGuard, key, planned } from "../key.ts"
import { oneOf } from "../parser.ts"

/** What becomes of requests that something should keep out that has no effect yet. */
const unsupportedGuards = oneOf("close", "close-ingresses", "ignore")

/** What is in force is judged by what text of it there is. */
export function snippetGuard(place: SnippetPlace, closes: KeyGuard["closes"]): KeyGuard {
  return { closes, find: (text, ports) => guardIn(text, place, ports) }
}

const firewall: KeyGuard = {
  closes: "without-firewall",
  find: (text) => (isOff(text) ? undefined : "ModSecurity is switched on"),
}

/** As Go writes it; what is no switch at all may be meant as one. */
export function isOff(text: string): boolean {
  return ["0", "f", "F", "false", "FALSE", "False"].includes(text.trim())
}

/** Text that goes into nginx.conf as it is, and ModSecurity. What stands outside of `http` keeps no request from a route. */
export const snippets = family("Process", {
  mainSnippet: planned("main-snippet", "snippets-and-waf"),
  httpSnippet: planned("http-snippet", "snippets-and-waf", snippetGuard("http", "all")),
  serverSnippet: planned("server-snippet", "snippets-and-waf", snippetGuard("server", "all")),
  locationSnippet: planned("location-snippet", "snippets-and-waf", snippetGuard("location", "all")),
  streamSnippet: planned("stream-snippet", "snippets-and-waf"),
  enableModsecurity: planned("enable-modsecurity", "snippets-and-waf", firewall),
  enableOwaspModsecurityCrs: planned("enable-owasp-modsecurity-crs", "snippets-and-waf"),
  modsecuritySnippet: planned("modsecurity-snippet", "snippets-and-waf"),
  /** what of it closes; `Settings.closedByKeys` says which keys of the ConfigMap do */
  unsupportedGuards: key(
    "unsupported-guards",
    { parse: unsupportedGuards, values: "`close`, `close-ingresses` or `ignore`" },
    "close",
    {
      section: "Access control",
      example: "close-ingresses",
      description:
        "wick's own: whether snippets and ModSecurity that may keep requests out, and have no effect yet, close with 503 what they are for. `close-ingresses`: those of Ingresses do, those of the ConfigMap do not; `ignore`: none does, and requests get in that were kept out",
    },
  ),
})
