import { accepted } from "../options/parser.ts"
import { none } from "../options/usage.ts"
import type { Family } from "./entry.ts"

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

/** Snippets. */
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
} satisfies Family
