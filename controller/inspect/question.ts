import { canonicalRange } from "../support/address-range.ts"
import type { Failure } from "../support/failure.ts"
import type { Rehearsal } from "./rehearse.ts"

// The request that is to be explained, as a person writes it.

interface Asked {
  /** a URL, or a host and a path */
  readonly operands: readonly string[]
  readonly flags: Readonly<Record<string, readonly (string | true)[]>>
}

/** Makes a failure of what is wrong with a question: a sentence without its dot. */
type Wrong = (what: string) => Failure

/** @throws Failure as `wrong` makes it */
export function requestOf({ operands, flags }: Asked, wrong: Wrong): Rehearsal {
  const [first = "", path] = operands
  if (first === "") throw wrong("What is to be explained is missing")
  const written = (flags.header ?? []).map((text) => headerOf(String(text), wrong))
  const headers = Object.fromEntries([...written, ...credentialsOf(flags.user?.at(-1), wrong)])
  const { host: given, ...others } = headers
  const place = first.includes("/")
    ? placeOfUrl(first, path, wrong)
    : { host: first, target: path ?? "/", isHttps: false }
  if (!place.target.startsWith("/")) throw wrong(`Path "${place.target}" does not start with a slash`)
  const isHttps = place.isHttps || flags.https !== undefined
  return { host: given ?? place.host, target: place.target, headers: others, isHttps }
}

/** @throws Failure as `wrong` makes it */
export function clientOf({ flags }: Pick<Asked, "flags">, wrong: Wrong): string | undefined {
  const client = flags.client?.at(-1)
  if (client === undefined) return undefined
  const address = String(client)
  if (address.includes("/") || canonicalRange(address) === undefined)
    throw wrong(`Cannot read client "${address}": write an IP address`)
  return address
}

/** The path stays as it was written: what becomes of it is nginx's business. */
function placeOfUrl(text: string, path: string | undefined, wrong: Wrong) {
  const [, scheme = "", host = "", target = ""] =
    /^(?:(https?):\/\/)?((?:\[[^\]]*\]|[^/?#:]+)(?::\d+)?)(?=[/?#]|$)([^#]*)/i.exec(text) ?? []
  if (host === "") throw wrong(`Cannot read "${text}" as a URL with http or https`)
  if (path !== undefined) throw wrong("A URL and a path are one too many")
  return { host, target: target.startsWith("/") ? target : `/${target}`, isHttps: /^https$/i.test(scheme) }
}

function headerOf(text: string, wrong: Wrong): [name: string, value: string] {
  const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? []
  if (name === "") throw wrong(`Cannot read header "${text}": write 'Name: value'`)
  return [name.toLowerCase(), value]
}

function credentialsOf(user: string | boolean | undefined, wrong: Wrong): [name: string, value: string][] {
  if (user === undefined) return []
  const text = String(user)
  if (!text.includes(":")) throw wrong(`Cannot read user "${text}": write NAME:PASSWORD`)
  return [["authorization", `Basic ${Buffer.from(text).toString("base64")}`]]
}
