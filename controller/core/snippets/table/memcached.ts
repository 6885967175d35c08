import { never } from "../reasons.ts"
import { idle, type Row } from "../rows.ts"
import { number, template } from "../values.ts"
import { askingRows, everywhere, withoutBackends } from "./backends.ts"

// Backends of memcached.

const when = ["error", "timeout", "invalid_response", "not_found", "off"]

export const memcached: readonly Row[] = [
  never.protocols("memcached_pass", "location if", [template]),
  ...askingRows("memcached", withoutBackends, when),
  idle("memcached_gzip_flag", everywhere, [number()]),
]
