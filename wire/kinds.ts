// The kinds of things in the zones: what can be set, removed and shown on its own.

export interface Kind {
  /** what the controller's model calls the list */
  readonly model: string
  /** what the control API calls it */
  readonly list: string
  /** keys begin with it, the name stands behind; what comes before the first slash is the zone */
  readonly prefix: string
  /** what names one in a GET */
  readonly argument: string
  /** of a cursor of the names */
  readonly letter: string
  /** how a sentence about one begins */
  readonly noun: string
  /** what a name is: a reader of balancer-as/assembly/control/name-rules.ts, and the sentences if it is none; absent: server and host */
  readonly name?: NameRule
  /** where the filter reads and shows one, below balancer-as/assembly/control/: `readStaple`, `showStaple` */
  readonly file: string
  readonly thing: string
}

export interface NameRule {
  readonly test: string
  readonly wanted: string
  readonly rule: string
}

const host = (test: string, rule: string): NameRule => ({
  test,
  wanted: "The name of a host is expected",
  rule,
})

const id: NameRule = {
  test: "isId",
  wanted: "An id is expected",
  // Not what stands there: it might be something secret in a wrong place.
  rule: "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore",
}

/** In the order in which readers should see what is set: nothing names what is not there yet. Things go in the reverse order. */
export const kinds = [
  {
    model: "certificates",
    list: "certificates",
    prefix: "certificates/pairs/",
    argument: "id",
    letter: "c",
    noun: "The certificate",
    name: id,
    file: "tls/certificate",
    thing: "Certificate",
  },
  {
    model: "authorities",
    list: "authorities",
    prefix: "certificates/authorities/",
    argument: "id",
    letter: "a",
    noun: "The authority",
    name: id,
    file: "tls/authority",
    thing: "Authority",
  },
  {
    model: "staples",
    list: "staples",
    prefix: "certificates/staples/",
    argument: "certificate",
    letter: "s",
    noun: "The staple of",
    name: id,
    file: "tls/staple",
    thing: "Staple",
  },
  {
    model: "backends",
    list: "backends",
    prefix: "backends/",
    argument: "name",
    letter: "b",
    noun: "The backend",
    name: {
      test: "isBackendName",
      wanted: "The name of a backend is expected",
      // A name with a colon in front would be a key of ours.
      rule: "A backend's name has 1 to 253 bytes and does not begin with a colon",
    },
    file: "backend",
    thing: "Backend",
  },
  {
    model: "tlsHosts",
    list: "tls_hosts",
    prefix: "certificates/hosts/",
    argument: "host",
    letter: "t",
    noun: "The TLS host",
    name: host(
      "isTlsHost",
      'A TLS host has a name in lower case, "*." or "**." and a name, or "_", behind a listener and a slash for those of a listener, or it is ":default"',
    ),
    file: "tls/host",
    thing: "TlsHost",
  },
  {
    model: "addressLists",
    list: "address_lists",
    // No server block's name begins with a colon.
    prefix: "routes/:addresses/",
    argument: "id",
    letter: "l",
    noun: "The address list",
    name: id,
    file: "address-list",
    thing: "AddressList",
  },
  {
    model: "userLists",
    list: "user_lists",
    prefix: "routes/:users/",
    argument: "id",
    letter: "u",
    noun: "The user list",
    name: id,
    file: "user-list",
    thing: "UserList",
  },
  {
    model: "routeParts",
    list: "route_parts",
    prefix: "routes/:parts/",
    argument: "id",
    letter: "o",
    noun: "The part",
    name: id,
    file: "route-part",
    thing: "RoutePart",
  },
  {
    model: "hosts",
    list: "routes",
    prefix: "routes/",
    argument: "host",
    letter: "r",
    noun: "The host",
    file: "host-record",
    thing: "Host",
  },
  {
    model: "passthroughs",
    list: "passthroughs",
    prefix: "passthroughs/",
    argument: "host",
    letter: "p",
    noun: "The passthrough",
    name: host("isExactHost", "A passthrough has a name in lower case"),
    file: "tls/passthrough",
    thing: "Passthrough",
  },
  {
    model: "streams",
    list: "streams",
    prefix: "routes/:streams/",
    argument: "name",
    letter: "m",
    noun: "The stream",
    name: {
      test: "isStreamName",
      wanted: "The name of a stream is expected",
      rule: "A stream's name is tcp: or udp: and a port from 1 to 65535, perhaps with an address between them",
    },
    file: "stream",
    thing: "Stream",
  },
] as const satisfies readonly Kind[]
