import { collectDefaultMetrics, Registry } from "prom-client"
import type { BackendState } from "../../model/endpoint-state.ts"
import type { Identity } from "../../model/identity.ts"
import type { MetricFormat } from "../../model/metric-format.ts"
import type { Observed } from "../../model/observed.ts"
import { type CertificateSource, certificateFamilies } from "./certificates.ts"
import { declareIn } from "./declared.ts"
import { endpointFamilies, type ReadEndpoints } from "./endpoints.ts"
import { orphanFamily } from "./orphans.ts"
import { familyEncoder } from "./protobuf.ts"
import { registryFamilies } from "./registry-families.ts"
import { declareScrapes } from "./scrapes.ts"
import { printFamilies } from "./series.ts"
import { portFamily } from "./stream-ports.ts"

/** What was counted of requests, in parts that may be cut anywhere. */
type ReadPages = (format: MetricFormat) => AsyncGenerator<Uint8Array>

/** What was built, for `build_info`. */
export interface Build {
  readonly release: string
  readonly build: string
  readonly repository: string
}

/** Where the metrics come from that are kept nowhere, as there are as many as Ingresses, hosts or endpoints. */
interface Sources {
  /** what was counted of requests; absent: nothing */
  requests?: ReadPages
  /** what was counted and is known of endpoints; absent: nothing is counted of them */
  endpoints?: { readonly counted: ReadPages; readonly known: ReadEndpoints }
  /** absent: nothing is said of certificates */
  certificates?: Omit<CertificateSource, "controllerClass">
}

/** How often the lag of the event loop is looked at. prom-client's 10 ms were most of what an idle controller did: 0.8 % of a core. */
const eventLoopLookMs = 100

/**
 * What is measured. Each part declares its own metrics by `declare`, beside what it measures; here they are kept and printed. Names that start
 * with `nginx_ingress_controller_` mean what they mean in ingress-nginx; those that start with `wick_` are ours.
 */
export class Metrics {
  readonly #identity: Identity
  readonly #isEnabled: boolean
  readonly #ours = new Registry()
  readonly #process = new Registry()
  #observed: Observed | undefined
  /** filled in as there is something to ask */
  readonly sources: Sources = {}
  readonly declare = declareIn(this.#ours)
  readonly scrapes: ReturnType<typeof declareScrapes>

  /** @param isEnabled `--enable-metrics`; without it `own` has only those of the process */
  constructor(identity: Identity, build: Build, isEnabled: boolean) {
    this.#identity = identity
    this.#isEnabled = isEnabled
    collectDefaultMetrics({ register: this.#process, eventLoopMonitoringPrecision: eventLoopLookMs })
    this.scrapes = declareScrapes(this.#process)
    this.#ours.setDefaultLabels(commonLabels(identity))
    this.declare
      .gauge(
        "nginx_ingress_controller_build_info",
        "Release, commit and repository of the running controller",
        ["release", "build", "repository"],
      )
      .set({ ...build }, 1)
  }

  /** What a pass came to is in force. */
  inForce(now: Observed): void {
    this.#observed = now
  }

  /** The metrics that parts have declared, and those of the process. */
  async own(format: MetricFormat): Promise<Uint8Array> {
    const registries = this.#isEnabled ? [this.#ours, this.#process] : [this.#process]
    if (format === "text") {
      const texts = await Promise.all(registries.map((registry) => registry.metrics()))
      return Buffer.from(texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join(""))
    }
    const families = await Promise.all(registries.map(registryFamilies))
    return Buffer.concat(families.flat().map(await familyEncoder()))
  }

  /** The same of Ingresses and hosts, then of requests and endpoints, in parts. It ends early when nginx does not answer from the start. @throws Failure when it ceases to */
  async *pages(format: MetricFormat): AsyncGenerator<Uint8Array> {
    const { requests, endpoints } = this.sources
    if (this.#isEnabled && this.#observed !== undefined)
      yield* printFamilies(this.#familiesOf(this.#observed), format)
    yield* requestPages(requests, format)
    if (endpoints === undefined) return
    yield* requestPages(endpoints.counted, format)
    yield* printFamilies(endpointFamilies(await allOf(endpoints.known), this.#identity), format)
  }

  *#familiesOf(now: Observed) {
    const { certificates } = this.sources
    yield orphanFamily(now.sources(), this.#identity)
    yield portFamily(now.ports(), this.#identity)
    if (certificates) yield* certificateFamilies(now.certificates(), { ...certificates, ...this.#identity })
  }
}

function commonLabels({ controllerClass, namespace, pod }: Identity) {
  return { controller_class: controllerClass, controller_namespace: namespace, controller_pod: pod }
}

/** None while nginx does not answer. */
async function allOf(read: ReadEndpoints): Promise<readonly BackendState[]> {
  const all: BackendState[] = []
  try {
    for await (const some of read()) all.push(...some)
  } catch {
    return []
  }
  return all
}

async function* requestPages(read: ReadPages | undefined, format: MetricFormat): AsyncGenerator<Uint8Array> {
  const pages = read?.(format)
  const first = await pages?.next().catch(() => undefined) // as while nginx starts: what is not known is not there
  if (pages === undefined || first === undefined || first.done) return
  yield first.value
  yield* pages
}
