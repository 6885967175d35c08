import type { ConfigMap } from "../../model/objects/config-map.ts"
import { qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { StreamProtocol } from "../../model/stream-listener.ts"
import { distinctBy } from "../../support/distinct.ts"
import { LastResult } from "../../support/incremental/last-result.ts"
import { compareText } from "../../support/order.ts"
import type { DeclaredBackend } from "../declared/backend.ts"
import { type Declarations, type FrontEnd, noDeclarations } from "../declared/declarations.ts"
import { complaint } from "../declared/problems.ts"
import type { DeclaredStream } from "../declared/stream.ts"
import type { Context } from "../options/context.ts"
import { type ReadStreams, readStreams } from "./read-streams.ts"

/** A ConfigMap that a flag names. */
interface Named {
  readonly protocol: StreamProtocol
  readonly namespace: string
  readonly name: string
}

/** The ConfigMaps of TCP and UDP services: each entry is a port, and the Service port that serves it (behaviour of ingress-nginx). */
export class StreamsFrontEnd implements FrontEnd {
  readonly #context: Context
  readonly #named: readonly Named[]
  readonly #read = new Map<StreamProtocol, LastResult<ReadStreams>>()
  readonly #declared = new LastResult<Declarations>()

  constructor(context: Context) {
    this.#context = context
    const { tcp, udp } = context.options.streams
    this.#named = [
      ...(tcp ? [{ protocol: "tcp", ...tcp } as const] : []),
      ...(udp ? [{ protocol: "udp", ...udp } as const] : []),
    ]
    for (const { protocol } of this.#named) this.#read.set(protocol, new LastResult())
  }

  declare({ configMaps }: Snapshot): Declarations {
    if (this.#named.length === 0) return noDeclarations
    const read = this.#named.map((named) => this.#readNamed(named, configMaps.get(qualifiedName(named))))
    return this.#declared.of(read, () => declarationsOf(read))
  }

  #readNamed(named: Named, configMap: ConfigMap | undefined): ReadStreams {
    const { reserved } = this.#context.options.streams
    const read = () =>
      configMap === undefined
        ? { streams: [], problems: [missing(named)] }
        : readStreams(configMap, named.protocol, reserved)
    return this.#read.get(named.protocol)?.of([configMap], read) ?? read()
  }
}

function declarationsOf(read: readonly ReadStreams[]): Declarations {
  const streams = read.flatMap((of) => of.streams)
  return {
    ...noDeclarations,
    streams,
    backends: backendsOf(streams),
    problems: read.flatMap(({ problems }) => problems),
  }
}

/** Ports that name the same Service port share what stands behind it. */
function backendsOf(streams: readonly DeclaredStream[]): readonly DeclaredBackend[] {
  const distinct = distinctBy(streams, ({ backend }) => backend.key)
  // as ingress-nginx, whatever the ConfigMap says of requests
  const backends = distinct.map(({ backend, loadBalance = "round_robin" }) => ({
    ref: backend,
    name: backend.shortName,
    loadBalancing: { loadBalance, serviceUpstream: false },
    fields: {},
  }))
  return backends.sort((a, b) => compareText(a.name, b.name))
}

function missing({ protocol, namespace, name }: Named): Problem {
  const flag = `--${protocol}-services-configmap`
  const message = `Cannot serve ${protocol.toUpperCase()} services: there is no ConfigMap "${namespace}/${name}", which ${flag} names; create it, or remove the flag`
  return complaint({ kind: "ConfigMap", namespace, name }, "data", "stream-configmap-missing", message)
}
