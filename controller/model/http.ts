import type { GeoEdition } from "./geo-edition.ts"
import type { Proxying, Streams, Upstream } from "./http/backends.ts"
import type { Logs, Tracing } from "./http/logs.ts"
import type { Hashes, Listening, Policies, Ports, Processes } from "./http/processes.ts"
import type { Clients, Compression, Errors, Filters, Forwarding, Headers } from "./http/requests.ts"
import type { Snippets } from "./http/snippets.ts"
import type { Hsts, Tls } from "./http/tls.ts"

/**
 * Settings of the http level and the process: what nginx takes from configuration text only, grouped by what it is about. Units are in the
 * names; values are within the ranges of nginx's directives.
 */
export interface Http {
  readonly processes: Processes
  readonly ports: Ports
  readonly listening: Listening
  readonly clients: Clients
  readonly forwarding: Forwarding
  readonly tls: Tls
  readonly hsts: Hsts
  readonly headers: Headers
  readonly filters: Filters
  readonly errors: Errors
  readonly compression: Compression
  readonly proxying: Proxying
  readonly upstream: Upstream
  readonly logs: Logs
  readonly tracing: Tracing
  readonly streams: Streams
  /** TLS connections may go to backends undecrypted, by their server name */
  readonly passesTls: boolean
  /** the databases by which clients are found; absent: none */
  readonly geoip?: { readonly editions: readonly GeoEdition[] }
  readonly hashes: Hashes
  readonly policies: Policies
  readonly snippets: Snippets
}
