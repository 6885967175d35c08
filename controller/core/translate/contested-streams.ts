import { sharedServer } from "../../model/listener.ts"
import type { Problem } from "../../model/problem.ts"
import { shown } from "../../model/shown.ts"
import type { Declarations } from "../declared/declarations.ts"
import type { DeclaredHost } from "../declared/host.ts"
import { nobody } from "../declared/rule.ts"
import { type DeclaredStream, streamProblem } from "../declared/stream.ts"

/** What a front end that comes first has on the port of TLS. */
type Holder = Pick<Declarations, "hosts" | "passthroughs">

/**
 * On the port of Ingresses connections are told by the server name whose they are, before anybody has read a request: a name, or a wildcard over it, that
 * another front end has is left out.
 *
 * @param before the front ends that come first
 * @returns `streams` itself where none is contested
 */
export function uncontested(
  streams: readonly DeclaredStream[],
  before: readonly Holder[],
  httpsPort: number,
  problems: Problem[],
): readonly DeclaredStream[] {
  const isOpen = ({ protocol, address, port }: DeclaredStream) =>
    protocol === "tcp" && address === undefined && port === httpsPort
  if (before.length === 0 || !streams.some(isOpen)) return streams
  const held = heldNames(before)
  return streams.flatMap((stream) => (isOpen(stream) ? left(stream, held, problems) : stream))
}

function heldNames(before: readonly Holder[]): ReadonlySet<string> {
  const isHeld = ({ server, rules }: DeclaredHost) =>
    server === sharedServer && rules.some(({ source }) => source !== nobody)
  const named = before.flatMap(({ hosts, passthroughs }) => [...hosts.filter(isHeld), ...passthroughs])
  return new Set(named.map(({ host }) => host))
}

function left(
  stream: DeclaredStream,
  held: ReadonlySet<string>,
  problems: Problem[],
): readonly DeclaredStream[] {
  const names = stream.names.filter(({ host }) => {
    const other = holder(host, held)
    if (other !== undefined) problems.push(refusal(stream, host, other))
    return other === undefined
  })
  const ofAll = stream.backend && holder("_", held)
  if (ofAll !== undefined) problems.push(refusal(stream, "_", ofAll))
  const { backend, tls: _, backendTls: __, ...rest } = stream
  const isForAll = backend !== undefined && ofAll === undefined
  if (names.length === 0 && !isForAll) return []
  return [{ ...(isForAll ? stream : rest), names }]
}

/** A host that a name takes connections from. */
function holder(name: string, held: ReadonlySet<string>): string | undefined {
  if (held.has(name)) return name
  if (name === "_") return [...held][0]
  return name.startsWith("**.") ? [...held].find((host) => host.endsWith(name.slice(2))) : undefined
}

function refusal(stream: DeclaredStream, name: string, other: string): Problem {
  const what = name === "_" ? "all server names" : `server name ${shown(name.replace(/^\*\*/, "*"))}`
  const whose = other === "_" ? "an Ingress has all other hosts" : `an Ingress has host ${shown(other)}`
  return streamProblem(
    stream,
    "stream-refused",
    `${whose}, so ${what} cannot be taken; use other names, or another port`,
  )
}
