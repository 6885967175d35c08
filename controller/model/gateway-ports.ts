import { contentName } from "../support/content-name.ts"

// Which of this controller's ports is which of a Gateway's, where Gateways have Services: a ConfigMap beside the controller says it, so that nobody who may
// write Services elsewhere can have the requests of others.

/** By what a Gateway is recorded as, then by its port: ours. The same for TCP and UDP. */
export type GatewayPorts = ReadonlyMap<string, ReadonlyMap<number, number>>

/** Ports from the first to the last, both included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/**
 * The ConfigMap; undefined where Gateways have no Services.
 *
 * @param namespace of the controller's Pod; "" where there is none
 */
export function portsConfigMapOf(flags: ExposureFlags, namespace: string) {
  const { gatewayApi, gatewayAddresses, manifests, electionId } = flags
  const haveServices = gatewayApi && gatewayAddresses.length === 0 && manifests === "" && namespace !== ""
  return haveServices ? { namespace, name: `${electionId}-gateway-ports` } : undefined
}

interface ExposureFlags {
  readonly gatewayApi: boolean
  readonly gatewayAddresses: readonly string[]
  readonly manifests: string
  /** of all replicas the same, and of other controllers another one */
  readonly electionId: string
}

/** The name of the Service of a Gateway, in its namespace: a label of DNS that begins with a letter. Source: RFC 1035, 2.3.1. */
export function gatewayServiceName(gateway: string): string {
  const name = `${gateway}-wick`
  return /^[a-z][a-z0-9-]{0,62}$/.test(name) ? name : `gateway-${contentName(gateway)}-wick`
}

/** One port of ours belongs to one port of a Gateway: what contradicts that is left out. */
export function readGatewayPorts(data: Readonly<Record<string, string>>): GatewayPorts {
  const taken = new Set<number>()
  const readOne = (text: string) => {
    const pairs = text.split(",").flatMap((pair): [number, number][] => {
      const [port = 0, own = 0] = (/^([0-9]{1,5})=([0-9]{1,5})$/.exec(pair)?.slice(1) ?? []).map(Number)
      if (port === 0 || own === 0 || taken.has(own)) return []
      taken.add(own)
      return [[port, own]]
    })
    return new Map(pairs)
  }
  return new Map(Object.entries(data).map(([key, text]) => [key.replace(".", "/"), readOne(text)]))
}

/** As whose ports a Gateway's are recorded: a key of a ConfigMap takes 253 characters, and one that is too long would keep all others out. */
export function recordedAs({
  namespace,
  name,
}: {
  readonly namespace: string
  readonly name: string
}): string {
  const key = `${namespace}/${name}`
  return key.length <= 253 ? key : `${namespace}/_${contentName(name)}`
}

/** A key is `namespace.name`: a namespace has no dot. */
export function printGatewayPorts(ports: GatewayPorts): Readonly<Record<string, string>> {
  const entries = [...ports].filter(([, own]) => own.size > 0)
  return Object.fromEntries(
    entries.map(([gateway, own]) => [
      gateway.replace("/", "."),
      [...own].map(([port, ours]) => `${port}=${ours}`).join(","),
    ]),
  )
}

/**
 * Gives every wanted port one of ours: the one that it has, else the next one that nobody has had lately. Without a free one it has none.
 *
 * @param wanted by Gateway, those that have been there for longest first
 * @param reserved of the range, what this controller listens on for other things
 */
export function allocatePorts(
  wanted: ReadonlyMap<string, readonly number[]>,
  recorded: GatewayPorts,
  { first, last }: PortRange,
  reserved: ReadonlySet<number>,
): GatewayPorts {
  const isUsable = (own: number) => own >= first && own <= last && !reserved.has(own)
  const kept = [...wanted].map(([gateway, ports]) => {
    const before = [...(recorded.get(gateway) ?? [])]
    return [gateway, new Map(before.filter(([port, own]) => ports.includes(port) && isUsable(own)))] as const
  })
  const free = freePorts(
    kept.flatMap(([, own]) => [...own.values()]),
    recorded,
    { first, last },
    isUsable,
  )
  for (const [gateway, own] of kept) {
    for (const port of wanted.get(gateway) ?? []) {
      const next = own.has(port) ? undefined : free.next().value
      if (next !== undefined) own.set(port, next)
    }
  }
  return new Map(kept)
}

/** From behind the last one on, and then from the beginning: what was given back may still have connections on their way. */
function* freePorts(
  taken: readonly number[],
  recorded: GatewayPorts,
  { first, last }: PortRange,
  isUsable: (own: number) => boolean,
): Generator<number, undefined> {
  const known = [...recorded.values()].flatMap((own) => [...own.values()]).filter(isUsable)
  const count = last - first + 1
  const start = known.length === 0 ? 0 : Math.max(...known) + 1 - first
  const used = new Set(taken)
  for (let step = 0; step < count; step += 1) {
    const own = first + ((start + step) % count)
    if (isUsable(own) && !used.has(own)) yield own
  }
  return undefined
}
