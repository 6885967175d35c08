// Printed by `npm run wire` from wire/: change it there.

import { Kind, NamedKind } from "./kind"
import { isBackendName, isExactHost, isId, isStreamName, isTlsHost } from "./name-rules"

export const CERTIFICATES: NamedKind = new NamedKind(
  0,
  21,
  "certificates",
  "certificates/pairs/",
  "The certificate ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const AUTHORITIES: NamedKind = new NamedKind(
  1,
  20,
  "authorities",
  "certificates/authorities/",
  "The authority ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const STAPLES: NamedKind = new NamedKind(
  2,
  19,
  "staples",
  "certificates/staples/",
  "The staple of ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const BACKENDS: NamedKind = new NamedKind(
  3,
  18,
  "backends",
  "backends/",
  "The backend ",
  "The name of a backend is expected",
  "A backend's name has 1 to 253 bytes and does not begin with a colon",
  isBackendName,
)
export const TLS_HOSTS: NamedKind = new NamedKind(
  4,
  17,
  "tls_hosts",
  "certificates/hosts/",
  "The TLS host ",
  "The name of a host is expected",
  'A TLS host has a name in lower case, "*." or "**." and a name, or "_", behind a listener and a slash for those of a listener, or it is ":default"',
  isTlsHost,
)
export const ADDRESS_LISTS: NamedKind = new NamedKind(
  5,
  16,
  "address_lists",
  "routes/:addresses/",
  "The address list ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const USER_LISTS: NamedKind = new NamedKind(
  6,
  15,
  "user_lists",
  "routes/:users/",
  "The user list ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const ROUTE_PARTS: NamedKind = new NamedKind(
  7,
  14,
  "route_parts",
  "routes/:parts/",
  "The part ",
  "An id is expected",
  "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
  isId,
)
export const HOSTS: Kind = new Kind(8, 13, "routes", "routes/", "The host ")
export const PASSTHROUGHS: NamedKind = new NamedKind(
  9,
  12,
  "passthroughs",
  "passthroughs/",
  "The passthrough ",
  "The name of a host is expected",
  "A passthrough has a name in lower case",
  isExactHost,
)
export const STREAMS: NamedKind = new NamedKind(
  10,
  11,
  "streams",
  "routes/:streams/",
  "The stream ",
  "The name of a stream is expected",
  "A stream's name is tcp: or udp: and a port from 1 to 65535, perhaps with an address between them",
  isStreamName,
)

/** Parts of writes.ts, and which of them comes last. */
export const PARTS: i32 = 23
export const GENERATION_PART: i32 = 22
