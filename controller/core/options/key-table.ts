import type { Key, Keys } from "./key.ts"
import { clients } from "./keys/clients.ts"
import { compression } from "./keys/compression.ts"
import { errors } from "./keys/errors.ts"
import { filters } from "./keys/filters.ts"
import { forwarding } from "./keys/forwarding.ts"
import { hashes } from "./keys/hashes.ts"
import { headers } from "./keys/headers.ts"
import { hsts } from "./keys/hsts.ts"
import { listening } from "./keys/listening.ts"
import { logs } from "./keys/logs.ts"
import { ocsp } from "./keys/ocsp.ts"
import { permissions } from "./keys/permissions.ts"
import { processes } from "./keys/processes.ts"
import { proxying } from "./keys/proxying.ts"
import { resolving } from "./keys/resolving.ts"
import { responses } from "./keys/responses.ts"
import { routing } from "./keys/routing.ts"
import { streams } from "./keys/streams.ts"
import { tls } from "./keys/tls.ts"
import { upstream } from "./keys/upstream.ts"
import type { Settings } from "./settings.ts"

const families: Keys<Settings> = {
  ...processes,
  ...listening,
  ...tls,
  ...ocsp,
  ...hsts,
  ...clients,
  ...forwarding,
  ...headers,
  ...filters,
  ...compression,
  ...proxying,
  ...upstream,
  ...resolving,
  ...logs,
  ...streams,
  ...hashes,
  ...errors,
  ...responses,
  ...permissions,
  ...routing,
}

/** Every key that has an effect. */
export const keys: readonly Key[] = Object.entries(families).map(
  ([field, key]) => ({ ...key, field }) as Key, // the type of `families` ties both
)
