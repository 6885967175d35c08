import type { Clients } from "./http/clients.ts"
import type { Compression } from "./http/compression.ts"
import type { Errors } from "./http/errors.ts"
import type { Filters } from "./http/filters.ts"
import type { Forwarding } from "./http/forwarding.ts"
import type { Hashes } from "./http/hashes.ts"
import type { Headers } from "./http/headers.ts"
import type { Hsts } from "./http/hsts.ts"
import type { Listening, Ports } from "./http/listening.ts"
import type { Logs } from "./http/logs.ts"
import type { Policies } from "./http/policies.ts"
import type { Processes } from "./http/processes.ts"
import type { Proxying } from "./http/proxying.ts"
import type { Streams } from "./http/streams.ts"
import type { Tls } from "./http/tls.ts"
import type { Tracing } from "./http/tracing.ts"
import type { Upstream } from "./http/upstream.ts"

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
  readonly hashes: Hashes
  readonly policies: Policies
}
