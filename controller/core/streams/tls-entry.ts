import type { ClientVerification } from "../../model/certificate.ts"
import { isSubdomain } from "../../model/objects/meta.ts"
import { isRecord } from "../../model/objects/reader.ts"
import { shown } from "../../model/shown.ts"
import { isLabel, isName } from "../../support/host-name.ts"
import { accepted, type Parsed, refused } from "../options/parser.ts"

// What an entry in JSON says of TLS. Secrets are named as `namespace/name`.

/** TLS of clients that ends at nginx. */
export interface AskedTls {
  /** of the certificate */
  readonly secret: string
  readonly alpn?: readonly string[]
  readonly clients?: Pick<ClientVerification, "verify" | "depth"> & {
    /** with the authorities of clients */
    readonly secret: string
  }
}

/** TLS towards endpoints. */
export interface AskedBackendTls {
  readonly name?: string
  readonly names?: readonly string[]
  /** with the authorities of endpoints, or what they are shown, or both */
  readonly secret?: string
  /** absent: if the Secret has authorities */
  readonly verify?: boolean
  readonly depth: number
}

type Read = (value: unknown) => Parsed<object>

const tlsAdvice = 'write {"secret": "namespace/name"}; beside it "alpn" and "clients" may stand'
const clientsAdvice = 'write {"secret": "namespace/name"}; beside it "verify" and "depth" may stand'

export function parseTls(value: unknown): Parsed<AskedTls> {
  const parsed = fieldsIn(value, tlsAdvice, {
    secret: (text) => keyed("secret", secretName(text)),
    alpn: (list) =>
      keyed("alpn", texts(list, maxProtocols, isProtocol, 'write a list such as ["h2", "http/1.1"]')),
    clients: (of) => keyed("clients", parseClients(of)),
  })
  if (parsed.kind === "refused") return parsed
  const { secret, ...others } = parsed.value as Partial<AskedTls>
  return secret === undefined ? refused(tlsAdvice) : accepted({ secret, ...others })
}

function parseClients(value: unknown): Parsed<NonNullable<AskedTls["clients"]>> {
  const parsed = fieldsIn(value, clientsAdvice, {
    secret: (text) => keyed("secret", secretName(text)),
    verify: (word) =>
      keyed(
        "verify",
        isVerify(word) ? accepted(word) : refused('write "on", "optional" or "optional_no_ca"'),
      ),
    depth: (number) => keyed("depth", depth(number)),
  })
  if (parsed.kind === "refused") return parsed
  const { secret, ...others } = parsed.value as Partial<NonNullable<AskedTls["clients"]>>
  return secret === undefined
    ? refused(clientsAdvice)
    : accepted({ verify: "on", depth: 1, ...others, secret })
}

export function parseBackendTls(value: unknown): Parsed<AskedBackendTls> {
  const advice =
    'write {"secret": "namespace/name", "name": "HOST"} or a part of it; beside it "names", "verify" and "depth" may stand'
  const isHost = (text: string) => isName(text)
  const parsed = fieldsIn(value, advice, {
    secret: (text) => keyed("secret", secretName(text)),
    name: (text) =>
      keyed("name", typeof text === "string" && isHost(text) ? accepted(text) : refused("write a host name")),
    names: (list) => keyed("names", texts(list, maxNames, isHost, 'write a list such as ["db.internal"]')),
    verify: (flag) =>
      keyed("verify", typeof flag === "boolean" ? accepted(flag) : refused("write true or false")),
    depth: (number) => keyed("depth", depth(number)),
  })
  if (parsed.kind === "refused") return parsed
  const read = parsed.value as Partial<AskedBackendTls>
  const verifiesByNothing = read.verify === true && read.secret === undefined
  return verifiesByNothing
    ? refused('"verify" needs a "secret" with "ca.crt": name it, or remove "verify"')
    : accepted({ depth: 1, ...read })
}

/** Docs/wire.md, STREAM_TLS and STREAM_BACKEND_TLS. */
const maxProtocols = 16
const maxNames = 16

function fieldsIn(value: unknown, advice: string, readers: Readonly<Record<string, Read>>): Parsed<object> {
  if (!isRecord(value)) return refused(advice)
  const read: object = {}
  for (const [key, one] of Object.entries(value)) {
    const reader = Object.hasOwn(readers, key) ? readers[key] : undefined
    if (reader === undefined) return refused(`there is no ${shown(key)}: ${advice}`)
    const parsed = reader(one)
    if (parsed.kind === "refused") return refused(`of ${shown(key)}: ${parsed.reason}`)
    Object.assign(read, parsed.value)
  }
  return accepted(read)
}

function keyed<T>(key: string, parsed: Parsed<T>): Parsed<object> {
  return parsed.kind === "refused" ? parsed : accepted({ [key]: parsed.value })
}

function secretName(value: unknown): Parsed<string> {
  const [namespace = "", name = "", ...rest] = typeof value === "string" ? value.split("/") : []
  const isNamed = rest.length === 0 && isLabel(namespace) && isSubdomain(name)
  return isNamed ? accepted(`${namespace}/${name}`) : refused("write namespace/name of a Secret")
}

function depth(value: unknown): Parsed<number> {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 100
    ? accepted(value)
    : refused("write a whole number from 1 to 100")
}

function isVerify(value: unknown): value is ClientVerification["verify"] {
  return value === "on" || value === "optional" || value === "optional_no_ca"
}

/** Of ALPN: visible characters of ASCII. */
function isProtocol(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text)
}

function texts(
  value: unknown,
  max: number,
  isOne: (text: string) => boolean,
  advice: string,
): Parsed<readonly string[]> {
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  const all = list.filter((it) => typeof it === "string").filter(isOne)
  const fits = all.length > 0 && all.length === list.length && all.length <= max
  return fits ? accepted(all) : refused(advice)
}
