import type { Fields } from "./field.ts"

// TLS towards backends of a route: docs/wire.md, BACKEND_TLS.

const since = "0.1.0"

/** How a backend is spoken to in TLS. */
export const backendTls: Fields = [
  {
    name: "authority",
    model: { meaning: "`Authority.id`; absent: the backend's certificate is not looked at" },
    type: "id",
    id: 1,
    isCritical: true,
    since,
    meaning:
      "id of an AUTHORITY that the backend's certificate is verified against, for the name `$route_proxy_ssl_name`; absent: it is not looked at",
  },
  {
    name: "depth",
    model: { meaning: "of chains" },
    type: "depth",
    id: 2,
    isCritical: true,
    since,
    meaning: "as nginx's `proxy_ssl_verify_depth`. Default 1",
  },
  {
    name: "alternative_names",
    model: { meaning: "one of which the certificate has to be for, in the place of the name that is sent" },
    type: "lines",
    id: 3,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "1 to 16 host names, addresses or URIs: with `authority` the certificate has to have one of them as alternative name, in the place of `$route_proxy_ssl_name`",
  },
  {
    name: "certificate",
    model: { meaning: "`Certificate.id`: what the backend is shown; absent: nothing" },
    type: "id",
    id: 4,
    since,
    meaning: "id of a PAIR that the backend is shown when it asks for a certificate",
  },
  {
    name: "sends_name",
    model: { meaning: "SNI" },
    type: "mark",
    id: 5,
    since,
    meaning: "as nginx's `proxy_ssl_server_name`: `$route_proxy_ssl_name` is sent",
  },
  {
    name: "ciphers",
    model: { meaning: "OpenSSL's list; absent: its own" },
    type: "ciphers",
    id: 6,
    isCritical: true,
    since,
    meaning: "as nginx's `proxy_ssl_ciphers`: a list as of a TLS_HOST. Default `DEFAULT`",
  },
  {
    name: "version",
    model: { meaning: "the only one; absent: 1.2 and 1.3" },
    type: "tls_version",
    id: 7,
    isCritical: true,
    since,
    meaning: "the only version of TLS that is spoken; absent: 1.2 and 1.3",
  },
]
