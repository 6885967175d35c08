import { reasonOf } from "../../../support/failure.ts"
import { parseNginxSyntax } from "../../snippets/syntax.ts"
import { family, type KeyEntry, type KeyGuard, key, planned } from "../key.ts"
import { accepted, oneOf, type Parsed, refused } from "../parser.ts"
import { none } from "../usage.ts"

/** What becomes of requests that something should keep out that has no effect yet. */
const unsupportedGuards = oneOf("close", "close-ingresses", "ignore")

/** Directives of nginx. `null`: a text that cannot be read. */
export function snippetKey(name: string, where: string, example: string): KeyEntry<string | null> {
  return key(name, { parse: readable, values: "[directives of nginx](../guides/snippets.md)" }, "", {
    section: "Snippets",
    shownDefault: none,
    example,
    description: `what nginx shall do ${where}`,
    whenRefused: { value: null, state: "cannot be used, so nothing of it is in force, and requests get 503" },
  })
}

function readable(text: string): Parsed<string | null> {
  try {
    parseNginxSyntax(text)
    return accepted(text)
  } catch (error) {
    return refused(reasonOf(error))
  }
}

const firewall: KeyGuard = {
  closes: "without-firewall",
  find: (text) => (isOff(text) ? undefined : "ModSecurity is switched on"),
}

/** As Go writes it; what is no switch at all may be meant as one. */
export function isOff(text: string): boolean {
  return ["0", "f", "F", "false", "FALSE", "False"].includes(text.trim())
}

/** Snippets, and ModSecurity. What stands outside of `http` keeps no request from a route. */
export const snippets = family("Process", {
  mainSnippet: snippetKey("main-snippet", "around everything", "worker_priority 5;"),
  httpSnippet: snippetKey(
    "http-snippet",
    "around all server blocks: maps, zones and formats that other snippets name, and headers",
    "map $http_x_plan $plan { default basic; gold gold; }",
  ),
  serverSnippet: snippetKey(
    "server-snippet",
    "in each server block, behind the `server-snippet` of an Ingress",
    "location = /health { return 200; }",
  ),
  locationSnippet: snippetKey(
    "location-snippet",
    "in the location of each path, behind its `configuration-snippet`",
    'more_set_headers "X-Shop: yes";',
  ),
  streamSnippet: snippetKey(
    "stream-snippet",
    "for TCP and UDP",
    "server { listen 5353; proxy_pass 10.0.0.53:53; }",
  ),
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
