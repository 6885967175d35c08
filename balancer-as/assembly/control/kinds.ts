// Printed by `npm run wire` from wire/: change it there.

import { Kind, NamedKind } from "./kind"
import { isBackendName, isExactHost, isId, isTlsHost } from "./name-rules"

export const CERTIFICATES: NamedKind = new NamedKind(
  0,
  17,
  "certificates",
  "certificates/pairs/",
  "The certificate ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const AUTHORITIES: NamedKind = new NamedKind(
  1,
  16,
  "authorities",
  "certificates/authorities/",
  "The authority ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const STAPLES: NamedKind = new NamedKind(
  2,
  15,
  "staples",
  "certificates/staples/",
  "The staple of ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const BACKENDS: NamedKind = new NamedKind(
  3,
  14,
  "backends",
  "backends/",
  "The backend ",
  "The name of a backend is expected",
  "A backend's name has 1 to 253 bytes and does not begin with a colon",
  isBackendName,
)
export const TLS_HOSTS: NamedKind = new NamedKind(
  4,
  13,
  "tls_hosts",
  "certificates/hosts/",
  "The TLS host ",
  "The name of a host is expected",
  'A TLS host has a name in lower case, "*." and a name, "_" or ":default"',
  isTlsHost,
)
export const ADDRESS_LISTS: NamedKind = new NamedKind(
  5,
  12,
  "address_lists",
  "routes/:addresses/",
  "The address list ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const ROUTE_PARTS: NamedKind = new NamedKind(
  6,
  11,
  "route_parts",
  "routes/:parts/",
  "The part ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const HOSTS: Kind = new Kind(7, 10, "routes", "routes/", "The host ")
export const PASSTHROUGHS: NamedKind = new NamedKind(
  8,
  9,
  "passthroughs",
  "passthroughs/",
  "The passthrough ",
  "The name of a host is expected",
  "A passthrough has a name in lower case",
  isExactHost,
)

/** Parts of writes.ts, and which of them comes last. */
export const PARTS: i32 = 19
export const GENERATION_PART: i32 = 18
