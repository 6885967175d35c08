import type { ClosedByKeys, Family, SettingsOf } from "./key.ts"
import { access } from "./keys/access.ts"
import { clients } from "./keys/clients.ts"
import { compression } from "./keys/compression.ts"
import { errors } from "./keys/errors.ts"
import { externalAuth } from "./keys/external-auth.ts"
import { filters } from "./keys/filters.ts"
import { forwarding } from "./keys/forwarding.ts"
import { geo } from "./keys/geo.ts"
import { hashes } from "./keys/hashes.ts"
import { headers } from "./keys/headers.ts"
import { hsts } from "./keys/hsts.ts"
import { listening } from "./keys/listening.ts"
import { logs } from "./keys/logs.ts"
import { modsecurity } from "./keys/modsecurity.ts"
import { ocsp } from "./keys/ocsp.ts"
import { ownership } from "./keys/ownership.ts"
import { permissions } from "./keys/permissions.ts"
import { platform } from "./keys/platform.ts"
import { policies } from "./keys/policies.ts"
import { processes } from "./keys/processes.ts"
import { proxying } from "./keys/proxying.ts"
import { resolving } from "./keys/resolving.ts"
import { responses } from "./keys/responses.ts"
import { routing } from "./keys/routing.ts"
import { snippets } from "./keys/snippets.ts"
import { streamServices, streams } from "./keys/streams.ts"
import { tls } from "./keys/tls.ts"
import { routeTracing, sampling, spanExport, tracing } from "./keys/tracing.ts"
import { upstream } from "./keys/upstream.ts"

/** Every family of keys. A new one needs its line here and nothing else. */
export const families = [
  processes,
  listening,
  tls,
  ocsp,
  hsts,
  clients,
  forwarding,
  headers,
  filters,
  compression,
  proxying,
  upstream,
  resolving,
  logs,
  streams,
  streamServices,
  hashes,
  errors,
  responses,
  permissions,
  platform,
  ownership,
  routing,
  policies,
  access,
  externalAuth,
  geo,
  snippets,
  modsecurity,
  routeTracing,
  sampling,
  spanExport,
  tracing,
] as const

/** The ConfigMap's keys after parsing, with their defaults in place: a field for each key that has an effect. Most go into the model as they are. */
export interface Settings extends Merged<(typeof families)[number]> {
  /** what keys close that should keep requests out and have no effect yet, each once, in order */
  readonly closedByKeys: readonly ClosedByKeys[]
}

/** The settings of all families of a union. */
type Merged<F> = (F extends Family ? (part: SettingsOf<F>) => void : never) extends (all: infer Whole) => void
  ? Whole
  : never
