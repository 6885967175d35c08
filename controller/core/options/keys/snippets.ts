import { guardIn } from "../../snippets/guards.ts"
import type { SnippetPlace } from "../../snippets/harmless.ts"
import { family, type KeyGuard, key, planned } from "../key.ts"
import { oneOf, text } from "../parser.ts"
import { none } from "../usage.ts"

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

/** What of it can be used is for all of them together to say: snippet-faults.ts. */
const directives = { parse: text, values: "directives of nginx's configuration" }

function snippet(name: string, example: string, description: string) {
  return key(name, directives, "", { shownDefault: none, example, description })
}

/** Directives of nginx, and ModSecurity. */
export const snippets = family("Process", {
  mainSnippet: snippet(
    "main-snippet",
    "env TZ;",
    "directives of the process, outside of every block. Those that the controller decides, such as `worker_processes`, are refused",
  ),
  httpSnippet: snippet(
    "http-snippet",
    "map $http_x_tier $tier { default low; gold high; }",
    "directives around all server blocks: what they define (`map`, `limit_req_zone`, `log_format` …) is there for other snippets, what they set is in force for all hosts. A `server` of yours is printed as it is ([snippets](../guides/snippets.md))",
  ),
  serverSnippet: snippet(
    "server-snippet",
    "sub_filter_once off;",
    "directives of the server block of each host, with those of its `server-snippet`",
  ),
  locationSnippet: snippet(
    "location-snippet",
    "gunzip on;",
    "directives of the location of each path, behind those of its `configuration-snippet`",
  ),
  streamSnippet: snippet(
    "stream-snippet",
    "server { listen 9000; proxy_pass 10.0.0.1:9000; }",
    "directives of nginx's `stream` block: servers for TCP and UDP, and what they need",
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
