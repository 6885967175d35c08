import type { Fields } from "./field.ts"

const since = "0.1.0"

/**
 * What serves a port of TCP or UDP: docs/wire.md, STREAM. Who does not know a field that keeps clients out must not let anybody in; all else
 * that is absent is as nginx has it.
 */
export const stream: Fields = [
  {
    name: "name",
    model: { meaning: "`streamName`" },
    type: "name",
    isRequired: true,
    since,
    meaning:
      "`tcp:` or `udp:` and the port, 1 to 65535 without leading zeros; or an address of ours in between, as in `tcp:10.0.0.1:5432` and `tcp:[2001:db8::1]:5432`: such a record holds, in the place of the other, for who has connected to that address, where the port has records by address",
  },
  {
    name: "backend",
    model: { meaning: "`Backend.name`" },
    type: "label",
    id: 1,
    isRequired: true,
    since,
    meaning:
      "name of a BACKEND, becomes `$proxy_upstream_name`; while it has no endpoint, or is not there, sessions are closed at once",
  },
  {
    name: "namespace",
    model: { meaning: "of the Service" },
    type: "text",
    id: 2,
    since,
    meaning: "of the Service: variable of the same name; default empty, as the next two",
  },
  {
    name: "service_name",
    model: { meaning: "" },
    type: "text",
    id: 3,
    since,
    meaning: "variable of the same name",
  },
  { name: "service_port", model: { meaning: "" }, type: "text", id: 4, since, meaning: "likewise" },
  {
    name: "source",
    model: { meaning: "`streamSource` of the object that asks for it" },
    type: "text",
    id: 5,
    since,
    meaning:
      "`namespace/name` of the ConfigMap that asks for it, or `Kind/namespace/name` of another object, for people",
  },
  {
    name: "accepts_proxy_protocol",
    model: { meaning: "of TCP: clients send a PROXY header" },
    type: "mark",
    id: 6,
    since,
    meaning:
      "of TCP: each client sends a header of the PROXY protocol, version 1 or 2, before all else; one that does not is closed",
  },
  {
    name: "sends_proxy_protocol",
    model: { meaning: "of TCP: the endpoint gets a PROXY header of this version" },
    type: "proxy_protocol",
    id: 7,
    since,
    meaning: "of TCP: the endpoint gets such a header, of this version, with the client's address",
  },
  {
    name: "proxy_timeout_ms",
    model: { meaning: "between two reads or writes of either side" },
    type: "milliseconds",
    id: 8,
    since,
    meaning: "as nginx's `proxy_timeout`; of UDP how long a session is kept",
  },
  {
    name: "proxy_connect_timeout_ms",
    model: { meaning: "" },
    type: "milliseconds",
    id: 9,
    since,
    meaning: "as `proxy_connect_timeout`",
  },
  {
    name: "next_upstream",
    model: {
      name: "triesNextUpstream",
      meaning: "whether another endpoint is tried when one does not connect",
    },
    type: "flag",
    id: 10,
    since,
    meaning: "as `proxy_next_upstream`",
  },
  {
    name: "next_upstream_timeout_ms",
    model: { meaning: "0: no limit" },
    type: "milliseconds_or_none",
    id: 11,
    since,
    meaning: "as `proxy_next_upstream_timeout`; 0: no limit",
  },
  {
    name: "next_upstream_tries",
    model: { meaning: "0: no limit but that of all backends" },
    type: "tries_or_none",
    id: 12,
    since,
    meaning: "as `proxy_next_upstream_tries`; 0: no limit but the upstream's `max_tries`",
  },
  {
    name: "responses",
    model: { meaning: "of UDP: datagrams that end a session; absent: none does" },
    type: "datagrams",
    id: 13,
    since,
    meaning: "of UDP: as `proxy_responses`, datagrams of the endpoint that end a session; absent: any number",
  },
  {
    name: "requests",
    model: { meaning: "of UDP: datagrams of the client in a session; 0: any number" },
    type: "datagrams",
    id: 14,
    since,
    meaning:
      "of UDP: as `proxy_requests`, datagrams of the client after which a session takes no more; 0: any number",
  },
  {
    name: "allow",
    model: { meaning: "`AddressList.id`" },
    type: "id",
    id: 15,
    isCritical: true,
    since,
    meaning: "id of the ADDRESS_LIST outside of which clients are closed",
  },
  {
    name: "deny",
    model: { meaning: "`AddressList.id`" },
    type: "id",
    id: 16,
    isCritical: true,
    since,
    meaning: "id of the ADDRESS_LIST inside of which clients are closed, those of `allow` too",
  },
  {
    name: "connections",
    model: { meaning: "of a client at a time" },
    type: "limit",
    id: 17,
    isCritical: true,
    since,
    meaning: "sessions of a client at a time",
  },
  {
    name: "connections_per_second",
    model: { meaning: "new ones of a client" },
    type: "limit",
    id: 18,
    isCritical: true,
    since,
    meaning: "new sessions of a client; five times as many may come at once, as with `rps` of LIMITS",
  },
  {
    name: "upload_bytes",
    model: { meaning: "per second and connection, from the client; 0: no limit" },
    type: "bytes_or_none",
    id: 19,
    since,
    meaning: "as `proxy_upload_rate`: of a session, per second; 0: no limit",
  },
  {
    name: "download_bytes",
    model: { meaning: "per second and connection, to the client; 0: no limit" },
    type: "bytes_or_none",
    id: 20,
    since,
    meaning: "as `proxy_download_rate`",
  },
  {
    name: "proxy_protocol_timeout_ms",
    model: { meaning: "how long a client's PROXY header is waited for" },
    type: "milliseconds",
    id: 21,
    since,
    meaning: "as `proxy_protocol_timeout`: how long a client's PROXY header is waited for. Default 5000",
  },
  {
    name: "names",
    model: {
      meaning:
        "of TCP: Services by the server name that clients ask for; absent: `backend` serves all of them",
    },
    type: "server_names",
    id: 22,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "of TCP: 1 to 1024 SERVER_NAMEs, by which connections go in the place of `backend`, undecrypted where they have no `tls`. One whose ClientHello asks for none of them is closed",
  },
  {
    name: "tls",
    model: { meaning: "of TCP: TLS of clients ends here; absent: it is passed on as it is" },
    type: "stream_tls",
    id: 23,
    isCritical: true,
    since,
    meaning:
      "of TCP, without `names`: a STREAM_TLS, with which the client's TLS ends here; absent: what clients send is passed on as it is",
  },
  {
    name: "backend_tls",
    model: { meaning: "of TCP: the endpoint is spoken to in TLS" },
    type: "stream_backend_tls",
    id: 24,
    isCritical: true,
    since,
    meaning: "of TCP: a STREAM_BACKEND_TLS, with which the endpoint is spoken to in TLS",
  },
  {
    name: "drain_ms",
    model: { meaning: "how long sessions stay on an endpoint that is away; absent: until they end" },
    type: "milliseconds_or_none",
    id: 25,
    since,
    meaning:
      "how long sessions stay on an endpoint that the backend has no more; absent: until they end, or `worker_shutdown_timeout` after a reload",
  },
]

/** A server name of a stream and what serves it. */
export const serverName: Fields = [
  {
    name: "host",
    model: {
      meaning:
        "exact, `*.` and a name for one label, `**.` and a name for any number, or `_` for every other client",
    },
    type: "host_name",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "as of a HOST: exact, `*.rest` for one label, `**.rest` for any number, or `_` for every other client, also one that asks for no name",
  },
  {
    name: "backend",
    model: { meaning: "`Backend.name`" },
    type: "label",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "as the stream's",
  },
  {
    name: "namespace",
    model: { meaning: "of the Service" },
    type: "text",
    id: 3,
    since,
    meaning: "as the stream's, as the next two",
  },
  { name: "service_name", model: { meaning: "" }, type: "text", id: 4, since, meaning: "" },
  { name: "service_port", model: { meaning: "" }, type: "text", id: 5, since, meaning: "" },
  {
    name: "tls",
    model: { meaning: "TLS of clients ends here; absent: it is passed on as it is" },
    type: "stream_tls",
    id: 6,
    isCritical: true,
    since,
    meaning: "as the stream's: such connections are decrypted",
  },
  {
    name: "backend_tls",
    model: { meaning: "the endpoint is spoken to in TLS" },
    type: "stream_backend_tls",
    id: 7,
    isCritical: true,
    since,
    meaning: "as the stream's; without `tls` it would encrypt twice",
  },
]

/** With what TLS of clients ends here. Its fields are those of a TLS_HOST, so that handshakes have them in one way. */
export const streamTls: Fields = [
  {
    name: "certificates",
    model: { meaning: "`Certificate.id`: one to four, of different types of keys" },
    type: "ids",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning:
      "ids of 1 to 4 PAIRs, of different types of keys; while the zone has none of them, handshakes end",
  },
  {
    name: "authority",
    model: { meaning: "`Authority.id`: what clients' certificates are verified against" },
    type: "id",
    id: 4,
    isCritical: true,
    since,
    meaning:
      "id of an AUTHORITY: clients are asked for a certificate, and a handshake with one that does not hold ends",
  },
  {
    name: "verify",
    model: { meaning: "together with `authority`" },
    type: "verify",
    id: 5,
    isCritical: true,
    since,
    meaning: "with `authority`: as nginx's `ssl_verify_client`",
  },
  {
    name: "depth",
    model: { meaning: "of chains" },
    type: "depth",
    id: 6,
    isCritical: true,
    since,
    meaning: "as nginx's `ssl_verify_depth`. Default 1",
  },
  {
    name: "alpn",
    model: { meaning: "protocols (ALPN), the best first; absent: none is agreed upon" },
    type: "lines",
    id: 8,
    isRepeated: true,
    since,
    meaning:
      "1 to 16 protocols (ALPN) of 1 to 255 bytes, the best first: clients that ask for others only are refused; absent: none is agreed upon",
  },
]

/** How the endpoint is spoken to in TLS. */
export const streamBackendTls: Fields = [
  {
    name: "server_name",
    model: { meaning: "sent as SNI, and what the certificate is for; absent: no name is sent" },
    type: "text",
    id: 1,
    since,
    meaning: "sent as server name, and with `authority` what the certificate has to be for",
  },
  {
    name: "authority",
    model: { meaning: "`Authority.id`; absent: the endpoint's certificate is not looked at" },
    type: "id",
    id: 2,
    isCritical: true,
    since,
    meaning:
      "id of an AUTHORITY that the endpoint's certificate is verified against; absent: it is not looked at",
  },
  {
    name: "depth",
    model: { meaning: "of chains" },
    type: "depth",
    id: 3,
    isCritical: true,
    since,
    meaning: "as nginx's `proxy_ssl_verify_depth`. Default 1",
  },
  {
    name: "alternative_names",
    model: { meaning: "one of which the certificate has to be for, in the place of `serverName`" },
    type: "lines",
    id: 4,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "1 to 16 host names, addresses or URIs: with `authority` the certificate has to have one of them as alternative name, in the place of `server_name`",
  },
  {
    name: "certificate",
    model: { meaning: "`Certificate.id`: what the endpoint is shown; absent: nothing" },
    type: "id",
    id: 5,
    since,
    meaning: "id of a PAIR that the endpoint is shown when it asks for a certificate",
  },
]
