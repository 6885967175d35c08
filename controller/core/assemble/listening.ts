import type { ListenerPort, WebPort } from "../../model/listener.ts"
import type { Problem } from "../../model/problem.ts"
import type { StreamPort } from "../../model/stream-listener.ts"
import { getOrMake } from "../../support/maps.ts"
import { type DeclaredListener, listenerProblem } from "../declared/listener.ts"
import type { DeclaredStream } from "../declared/stream.ts"
import type { TranslateOptions } from "../options/translation.ts"

/** On which ports nginx listens for hosts with listeners of their own. */
export interface Listening {
  /** by number; each once */
  readonly ports: readonly ListenerPort[]
  /** by number, where clients know another one */
  readonly clientPorts?: Readonly<Record<number, number>>
  /** all who ask for them, in the same order */
  readonly declared: readonly DeclaredListener[]
  readonly problems: readonly Problem[]
}

const none: Listening = { ports: [], declared: [], problems: [] }

/** @param streams have their ports already @param declared the same as objects have them */
export function listeningOf(
  all: readonly DeclaredListener[],
  streams: readonly StreamPort[],
  declared: readonly DeclaredStream[],
  options: Pick<TranslateOptions, "ports" | "streams">,
): Listening {
  if (all.length === 0) return none
  const services = declared.filter(isService)
  const byPort = new Map<number, DeclaredListener>()
  const problems: Problem[] = []
  const standing = all.filter((listener) => {
    const first = getOrMake(byPort, listener.port, () => listener)
    const fault = faultOf(
      listener,
      first === listener ? undefined : first,
      listener.scheme === "https" ? services : streams,
      options,
    )
    if (fault === undefined) return true
    problems.push(listenerProblem(listener, fault))
    if (first === listener) byPort.delete(listener.port)
    return false
  })
  const quic = new Set(standing.flatMap(({ hasHttp3, port }) => (hasHttp3 ? [port] : [])))
  const ports = [...byPort.values()].map(
    ({ scheme, port }): ListenerPort => ({ scheme, port, ...(quic.has(port) && { hasHttp3: true }) }),
  )
  const others = [...byPort.values()].flatMap(({ port, clientPort }): readonly [number, number][] =>
    clientPort === undefined ? [] : [[port, clientPort]],
  )
  const byNumber = (a: WebPort, b: WebPort) => a.port - b.port
  return {
    ports: ports.sort(byNumber),
    ...(others.length > 0 && { clientPorts: Object.fromEntries(others) }),
    declared: standing.sort(byNumber),
    problems,
  }
}

/** What `--tcp-services-configmap` says is for all connections of a port; of routes of TLS it is told by the server name whose one is. */
function isService({ protocol, source }: DeclaredStream): boolean {
  return protocol === "tcp" && source.kind === "ConfigMap"
}

/** Why it cannot be. @param streams that it cannot be beside */
function faultOf(
  { scheme, port }: WebPort,
  other: DeclaredListener | undefined,
  streams: readonly Pick<StreamPort, "protocol" | "port">[],
  { ports, streams: { reserved } }: Pick<TranslateOptions, "ports" | "streams">,
): string | undefined {
  if (other !== undefined && other.scheme !== scheme)
    return `${other.source.kind} "${other.source.name}" has it for ${other.scheme.toUpperCase()}; use another port`
  if (port === (scheme === "http" ? ports.httpPort : ports.httpsPort)) return undefined
  const own = reserved.find((it) => it.port === port)
  if (own !== undefined) return `${own.flag} has it; use another port`
  const isStream = streams.some((it) => it.protocol === "tcp" && it.port === port)
  return isStream ? "a TCP service has it; use another port" : undefined
}
