import { family, key, type Section } from "../key.ts"
import { oneOf, text } from "../parser.ts"
import { none } from "../usage.ts"

/** What becomes of requests that something should keep out that has no effect. */
const unsupportedGuards = oneOf("close", "close-ingresses", "ignore")

/** What of it can be used is for all of them together to say: snippet-faults.ts. */
const directives = { parse: text, values: "directives of nginx's configuration" }

function snippet(name: string, example: string, description: string, section?: Section) {
  return key(name, directives, "", { shownDefault: none, example, description, ...(section && { section }) })
}

/** Directives of nginx. */
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
  globalAuthSnippet: snippet(
    "global-auth-snippet",
    'proxy_set_header X-Realm "shop";',
    "directives for the question that `global-auth-url` is asked, as `auth-snippet` of an Ingress has them: headers",
    "Access control",
  ),
  streamSnippet: snippet(
    "stream-snippet",
    "server { listen 9000; proxy_pass 10.0.0.1:9000; }",
    "directives of nginx's `stream` block: servers for TCP and UDP, and what they need",
  ),
  /** what of it closes; `Settings.closedByKeys` says which keys of the ConfigMap do */
  unsupportedGuards: key(
    "unsupported-guards",
    { parse: unsupportedGuards, values: "`close`, `close-ingresses` or `ignore`" },
    "close",
    {
      section: "Access control",
      example: "close-ingresses",
      description:
        "wick's own: whether snippets that may keep requests out, and have no effect, close with 503 what they are for. `close-ingresses`: those of Ingresses do, those of the ConfigMap do not; `ignore`: none does, and requests get in that were kept out",
    },
  ),
})
