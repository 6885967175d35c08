import type { User, UserList } from "../../../model/access.ts"
import type { Secret } from "../../../model/objects/secret.ts"
import { SecretText } from "../../../model/secret-file.ts"
import { shown } from "../../../model/shown.ts"
import { contentName } from "../../../support/content-name.ts"
import { getOrMake } from "../../../support/maps.ts"
import { compareText } from "../../../support/order.ts"
import { hashFault } from "./password-hash.ts"

/** A user who cannot log in. */
export interface UserLeftOut {
  /** the name, or the line of a file that is none's */
  readonly user: string | number
  /** goes on after the name, without what the Secret has there */
  readonly reason: string
}

export type UsersRead =
  | { readonly kind: "read"; readonly users: UserList; readonly leftOut: readonly UserLeftOut[] }
  /** fits after a colon */
  | { readonly kind: "refused"; readonly reason: string }

export type SecretType = "auth-file" | "auth-map"

/** docs/wire.md, USER_LIST. */
const maxUsers = 10_000
const maxNameBytes = 255
/** Of names and hashes: they have to fit into one change. */
const maxBytes = 640 * 1024

/** What hashes are wanted: of Digest authentication, which are of a realm, or of passwords, which may cost so much. */
export type HashesWanted = { readonly realm: string } | { readonly maxBcryptCost: number }

/** The users of Secrets. Each version of one is read once, however many Ingresses name it. */
export class UserLists {
  readonly #read = new WeakMap<Secret, Map<string, UsersRead>>()

  of(secret: Secret, type: SecretType, wanted: HashesWanted): UsersRead {
    const readings = getOrMake(this.#read, secret, () => new Map<string, UsersRead>())
    return getOrMake(readings, JSON.stringify([type, wanted]), () => read(secret, type, wanted))
  }
}

/** What stands behind a user's name, up to the end of the line; absent: bytes that are no UTF-8. */
interface Entry {
  readonly user: string | number
  readonly text?: string
}

function read({ data }: Secret, type: SecretType, wanted: HashesWanted): UsersRead {
  const of = (entries: readonly Entry[]) =>
    "realm" in wanted
      ? listOfRealm(entries, wanted.realm)
      : listOf(entries, (hash) => hashFault(hash, wanted.maxBcryptCost))
  if (type === "auth-map") return of(Object.entries(data).map(([user, value]) => entryOf(user, value)))
  const { auth: file } = data
  return file === undefined ? refused('key "auth" is missing') : of(entriesIn(file))
}

function listOfRealm(entries: readonly Entry[], realm: string): UsersRead {
  const own = ofRealm(entries, realm)
  if (entries.length > 0 && own.length === 0)
    return refused(`it holds no user of realm ${shown(realm)}, which annotation "auth-realm" names`)
  const isOld = own.some(({ text = "" }) => md5.test(text))
  return listOf(own, (hash) => digestFault(hash, isOld))
}

/** Those whose text is `realm:hash`, with the hash alone; what is of no realm stays as it is, and is nobody's hash. */
function ofRealm(entries: readonly Entry[], wanted: string): readonly Entry[] {
  return entries.flatMap((entry) => {
    const [, realm, hash] = /^([^:]*):([^:]*)/.exec(entry.text ?? "") ?? []
    if (hash === undefined) return [{ ...entry, text: "" }]
    return realm === wanted ? [{ ...entry, text: hash }] : []
  })
}

/** HA1, as htdigest writes it. */
const md5 = /^[\da-f]{32}$/i
const sha256 = /^[\da-f]{64}$/i

/** @param isOld clients are asked for MD5: they are asked for one algorithm, before it is known who the user is */
function digestFault(hash: string, isOld: boolean): string | undefined {
  if (md5.test(hash)) return undefined
  if (!sha256.test(hash)) return "has no hash for Digest, written realm:hash"
  return isOld
    ? "has a hash of SHA-256 while others have one of MD5, and clients are asked for one of them"
    : undefined
}

function refused(reason: string): UsersRead {
  return { kind: "refused", reason }
}

function listOf(entries: readonly Entry[], faultOfHash: (hash: string) => string | undefined): UsersRead {
  const users = new Map<string, User>()
  const leftOut: UserLeftOut[] = []
  const seen = new Set<string | number>()
  for (const { user, text } of entries) {
    const hash = text?.split(":")[0]
    // The first line of a user counts (behaviour of nginx), even if it cannot be used.
    if (seen.has(user)) continue
    seen.add(user)
    const reason = typeof user === "number" ? "is no user and hash" : faultOf(user, hash, faultOfHash)
    if (reason !== undefined) leftOut.push({ user, reason })
    else users.set(String(user), { name: String(user), hash: new SecretText(hash ?? "") })
  }
  if (users.size === 0)
    return refused(leftOut.length === 0 ? "it holds no user" : "it holds no user whose hash can be used")
  if (users.size > maxUsers) return refused(`it holds ${users.size} users, more than ${maxUsers}`)
  return withId(
    [...users.values()].sort((a, b) => compareText(a.name, b.name)),
    leftOut,
  )
}

function withId(users: readonly User[], leftOut: readonly UserLeftOut[]): UsersRead {
  const text = JSON.stringify(users.map(({ name, hash }) => [name, hash.reveal()]))
  if (Buffer.byteLength(text) > maxBytes) return refused(`its users have more than ${maxBytes} bytes`)
  return { kind: "read", users: { id: contentName(text), users }, leftOut }
}

function faultOf(
  user: string,
  hash: string | undefined,
  faultOfHash: (hash: string) => string | undefined,
): string | undefined {
  if (user === "") return "has no name"
  if (Buffer.byteLength(user) > maxNameBytes) return `has a name of more than ${maxNameBytes} bytes`
  return hash === undefined ? "has a hash that is no UTF-8" : faultOfHash(hash)
}

/** The lines of a file as nginx reads them: `user:hash[:comment]`, a hash ends at a carriage return, too. */
function entriesIn(file: Uint8Array): readonly Entry[] {
  const lines = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("latin1").split("\n")
  return lines.flatMap((line, at) => (/^(#|\r|$)/.test(line) ? [] : [entryIn(line, at + 1)]))
}

function entryIn(line: string, number: number): Entry {
  const colon = line.indexOf(":")
  const user = colon < 0 ? undefined : utf8(line.slice(0, colon))
  if (user === undefined) return { user: number }
  return { user, ...withText(line.slice(colon + 1)) }
}

/** The value of a key. What stands in further lines would be users to ingress-nginx, whom nobody sees. */
function entryOf(user: string, value: Uint8Array): Entry {
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1")
  const line = text.replace(/\r?\n$/, "")
  return { user, ...(line.includes("\n") ? { text: "" } : withText(line)) }
}

function withText(line: string): Pick<Entry, "text"> {
  const text = utf8(/^[^\r]*/.exec(line)?.[0] ?? "")
  return text === undefined ? {} : { text }
}

/** @param bytes one for each character */
function utf8(bytes: string): string | undefined {
  try {
    return decoder.decode(Buffer.from(bytes, "latin1"))
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
