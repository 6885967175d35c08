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
      "of TCP: 1 to 1024 SERVER_NAMEs, by which connections go in the place of `backend`, undecrypted. One whose ClientHello asks for none of them is closed",
  },
]

/** A server name of a stream and what serves it. */
export const serverName: Fields = [
  {
    name: "host",
    model: { meaning: "exact, `*.` and a name for one label, or `_` for every other client" },
    type: "host_name",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "as of a HOST: exact, `*.rest` for one label, or `_` for every other client, also one that asks for no name",
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
]
