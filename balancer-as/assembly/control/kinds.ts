// Printed by `npm run wire` from wire/: change it there.

import { Kind, NamedKind } from "./kind"
import { isBackendName, isExactHost, isId, isTlsHost } from "./name-rules"

export const CERTIFICATES: NamedKind = new NamedKind(
  0,
  19,
  "certificates",
  "certificates/pairs/",
  "The certificate ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const AUTHORITIES: NamedKind = new NamedKind(
  1,
  18,
  "authorities",
  "certificates/authorities/",
  "The authority ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const STAPLES: NamedKind = new NamedKind(
  2,
  17,
  "staples",
  "certificates/staples/",
  "The staple of ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const BACKENDS: NamedKind = new NamedKind(
  3,
  16,
  "backends",
  "backends/",
  "The backend ",
  "The name of a backend is expected",
  "A backend's name has 1 to 253 bytes and does not begin with a colon",
  isBackendName,
)
export const TLS_HOSTS: NamedKind = new NamedKind(
  4,
  15,
  "tls_hosts",
  "certificates/hosts/",
  "The TLS host ",
  "The name of a host is expected",
  'A TLS host has a name in lower case, "*." and a name, "_" or ":default"',
  isTlsHost,
)
export const ADDRESS_LISTS: NamedKind = new NamedKind(
  5,
  14,
  "address_lists",
  "routes/:addresses/",
  "The address list ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const USER_LISTS: NamedKind = new NamedKind(
  6,
  13,
  "user_lists",
  "routes/:users/",
  "The user list ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const ROUTE_PARTS: NamedKind = new NamedKind(
  7,
  12,
  "route_parts",
  "routes/:parts/",
  "The part ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const HOSTS: Kind = new Kind(8, 11, "routes", "routes/", "The host ")
export const PASSTHROUGHS: NamedKind = new NamedKind(
  9,
  10,
  "passthroughs",
  "passthroughs/",
  "The passthrough ",
  "The name of a host is expected",
  "A passthrough has a name in lower case",
  isExactHost,
)

/** Parts of writes.ts, and which of them comes last. */
export const PARTS: i32 = 21
export const GENERATION_PART: i32 = 20
