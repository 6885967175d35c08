import type { ConfigMap } from "../../model/objects/config-map.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { StreamProtocol } from "../../model/stream-listener.ts"
import { distinctBy } from "../../support/distinct.ts"
import { LastResult, sameItems } from "../../support/incremental/last-result.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import {
  type Declarations,
  type FrontEnd,
  type FrontEndFacts,
  noDeclarations,
} from "../declared/declarations.ts"
import { complaint } from "../declared/problems.ts"
import { backendsOfStream, type DeclaredStream } from "../declared/stream.ts"
import type { Context } from "../options/context.ts"
import { type ReadStreams, readStreams } from "./read-streams.ts"

/** A ConfigMap that a flag names. */
interface Named {
  readonly protocol: StreamProtocol
  readonly namespace: string
  readonly name: string
  readonly last: LastResult<ReadStreams>
  /** what was known of the Secrets and policies that it names */
  states: readonly unknown[]
}

/** The ConfigMaps of TCP and UDP services: each entry is a port, and the Service port that serves it (behaviour of ingress-nginx). */
export class StreamsFrontEnd implements FrontEnd {
  readonly #context: Context
  readonly #named: readonly Named[]
  readonly #declared = new LastResult<Declarations>()

  constructor(context: Context) {
    this.#context = context
    const { tcp, udp } = context.options.streams
    this.#named = [
      ...(tcp ? [{ protocol: "tcp", last: new LastResult<ReadStreams>(), states: [], ...tcp } as const] : []),
      ...(udp ? [{ protocol: "udp", last: new LastResult<ReadStreams>(), states: [], ...udp } as const] : []),
    ]
  }

  declare({ configMaps }: Snapshot, facts: FrontEndFacts): Declarations {
    if (this.#named.length === 0) return noDeclarations
    const read = this.#named.map((named) =>
      this.#readNamed(named, configMaps.get(qualifiedName(named)), facts),
    )
    return this.#declared.of(read, () => declarationsOf(read))
  }

  #readNamed(named: Named, configMap: ConfigMap | undefined, facts: FrontEndFacts): ReadStreams {
    const { options, settings } = this.#context
    const policies = { settings, find: (name: string) => facts.policies.get(name) }
    const read = () =>
      configMap === undefined
        ? { streams: [], secrets: [], policies: [], problems: [missing(named)] }
        : readStreams(configMap, named.protocol, options.streams.reserved, facts.tlsSecrets, policies)
    const result = named.last.of([configMap, ...named.states], read)
    const states = statesOf(result, facts)
    if (sameItems(states, named.states)) return result
    // Which of them count is known only now.
    named.states = states
    return named.last.of([configMap, ...states], read)
  }
}

function statesOf({ secrets, policies }: ReadStreams, facts: FrontEndFacts): readonly unknown[] {
  return [
    ...secrets.map((name) => facts.tlsSecrets.get(name)),
    ...policies.map((name) => facts.policies.get(name)),
  ]
}

function declarationsOf(read: readonly ReadStreams[]): Declarations {
  const streams = read.flatMap((of) => of.streams)
  return {
    ...noDeclarations,
    streams,
    backends: backendsOf(streams),
    problems: read.flatMap(({ problems }) => problems),
    usesSecret: (name) => read.some(({ secrets }) => secrets.includes(name)),
  }
}

/** Ports that name the same Service port share what stands behind it. */
function backendsOf(streams: readonly DeclaredStream[]): readonly DeclaredBackend[] {
  // as ingress-nginx, whatever the ConfigMap says of requests
  const named = streams.flatMap((stream) =>
    backendsOfStream(stream).map((ref) => {
      const { loadBalance = "round_robin", policy, balancing = {} } = stream
      const loadBalancing = { loadBalance, ...(policy && { policy }), serviceUpstream: false }
      return { ref, loadBalancing, fields: balancing }
    }),
  )
  const backends = distinctBy(named, ({ ref }) => ref.key).map((backend) => ({
    ...backend,
    name: backend.ref.shortName,
  }))
  return backends.sort((a, b) => compareText(a.name, b.name))
}

function missing({ protocol, namespace, name }: Named): Problem {
  const flag = `--${protocol}-services-configmap`
  const message = `Cannot serve ${protocol.toUpperCase()} services: there is no ConfigMap "${namespace}/${name}", which ${flag} names; create it, or remove the flag`
  return complaint({ kind: "ConfigMap", namespace, name }, "data", "stream-configmap-missing", message)
}
