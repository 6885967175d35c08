import type { Fields } from "./field.ts"

// Certificates, what handshakes get, and connections that are handed on: docs/wire.md, CERTIFICATE to PASSTHROUGH.

const since = "0.1.0"

const name = { type: "name", isRequired: true, since } as const

export const certificate: Fields = [
  { ...name, name: "id", meaning: "" },
  {
    name: "chain",
    model: { meaning: "the leaf first" },
    type: "ders",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning: "the leaf first, 1 to 16 certificates",
  },
  {
    name: "key",
    model: { type: "SecretText", as: "secret", meaning: "PKCS#8" },
    type: "der",
    id: 2,
    isRequired: true,
    since,
    meaning: "PKCS#8; never shown",
  },
]

export const staple: Fields = [
  {
    ...name,
    name: "certificate",
    model: { meaning: "`Certificate.id`" },
    meaning: "id; without that certificate it has no effect",
  },
  {
    name: "response",
    model: { meaning: "" },
    type: "der",
    id: 1,
    isRequired: true,
    since,
    meaning: "the OCSP response",
  },
  {
    name: "until_ms",
    model: { meaning: "milliseconds since 1970" },
    type: "moment",
    id: 2,
    isRequired: true,
    since,
    meaning: "when it runs out: milliseconds since 1970",
  },
]

export const authority: Fields = [
  { ...name, name: "id", meaning: "" },
  {
    name: "certificates",
    model: { meaning: "" },
    type: "ders",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning: "1 to 1024",
  },
  {
    name: "crls",
    model: { meaning: "" },
    type: "crls",
    id: 2,
    isRepeated: true,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "0 to 64",
  },
]

export const tlsHost: Fields = [
  {
    ...name,
    name: "host",
    model: { meaning: "as `Host.host`, or `:default`; that of a listener is `placeAt`" },
    meaning:
      "as of a HOST, or `:default`: what serves where nothing else does, and gives its certificates to hosts that have none of their own. Those of a listener are called LISTENER/HOST, as `https:10.0.0.1:443/shop.test`, and it has such of its own when it has one for `_`",
  },
  {
    name: "certificates",
    model: {
      isAlways: true,
      meaning: "`Certificate.id`s; none: those of `:default`, else nginx's static one",
    },
    type: "ids",
    id: 1,
    isRepeated: true,
    since,
    meaning: "0 to 4 ids, of different types of keys; the client's abilities decide",
  },
  {
    name: "ciphers",
    model: { meaning: "of TLS 1.2 and below" },
    type: "ciphers",
    id: 2,
    since,
    meaning: "OpenSSL's list for TLS 1.2 and below, at most 4096 bytes of `[A-Za-z0-9!:+@=_-]`",
  },
  {
    name: "prefer_server_ciphers",
    model: { name: "prefersServerCiphers", meaning: "" },
    type: "flag",
    id: 3,
    since,
    meaning: "absent: as the server block has it",
  },
  {
    name: "listener",
    model: { meaning: "as `Host.listener`" },
    type: "line",
    id: 7,
    isCritical: true,
    since,
    meaning: "as that of a HOST: which listener handshakes for these names are for",
  },
  {
    name: "client_certificate",
    model: { meaning: "" },
    type: "client_verification",
    isCritical: true,
    since,
    meaning: "what clients are asked for; absent: nothing",
  },
]

/** What a handshake asks of the client; in the record fields of the TLS host. */
export const clientVerification: Fields = [
  {
    name: "authority",
    model: { meaning: "`Authority.id`" },
    type: "id",
    id: 4,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "id of an AUTHORITY",
  },
  {
    name: "verify",
    model: { meaning: "`required`: a handshake ends without one that holds; else requests are refused" },
    type: "verify",
    id: 5,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "as nginx's `ssl_verify_client`, so requests are refused and not handshakes; `required`: a handshake ends that brings no certificate, or none that holds",
  },
  {
    name: "depth",
    model: { meaning: "1 to 100" },
    type: "depth",
    id: 6,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "as nginx's `ssl_verify_depth`",
  },
]

export const passthrough: Fields = [
  { ...name, name: "host", meaning: "exact" },
  {
    name: "backend",
    model: { meaning: "name of a backend, whose endpoints they go to" },
    type: "backend_name",
    id: 2,
    isRequired: true,
    since,
    meaning:
      "name of a BACKEND: a connection goes to one of its endpoints as it is; while it has none, or is not there, connections are closed",
  },
]
