// The oracle, and beside it whoever has to answer as it does: wick, or a second oracle.
import { listOf } from "../../../../harness/manifests.ts"
import { startWick } from "../../../../harness/wick.ts"
import { Recorder } from "../../../support/recorder.ts"
import { type CaseRequest, type SnippetCase, textsOf } from "./case.ts"
import { linesApart, shownExchange } from "./compare.ts"
import { type Exchange, exchange } from "./exchange.ts"
import { objectsOf } from "./objects.ts"
import { hostOf, type OracleConf, startOracle } from "./oracle.ts"

/** Who answers, and the backend that is asked in turn. */
interface Side {
  readonly port: number
  readonly backend: Recorder
}

type Starts = (backendPort: number, started: AsyncDisposableStack) => Promise<number>

export type Cases = Omit<OracleConf, "backendPort">

/** Both serve the cases until `dispose`. */
export class Sides implements AsyncDisposable {
  readonly cases: readonly SnippetCase[]
  /** How many requests were sent to each. */
  requests = 0
  readonly #oracle: Side
  readonly #other: Side
  readonly #started: AsyncDisposableStack

  private constructor(
    cases: readonly SnippetCase[],
    oracle: Side,
    other: Side,
    started: AsyncDisposableStack,
  ) {
    this.cases = cases
    this.#oracle = oracle
    this.#other = other
    this.#started = started
  }

  static withWick(conf: Cases): Promise<Sides> {
    return Sides.#start(conf, (backendPort, started) => wickPort({ ...conf, backendPort }, started))
  }

  static withOracle(conf: Cases): Promise<Sides> {
    return Sides.#start(conf, (backendPort, started) => oraclePort({ ...conf, backendPort }, started))
  }

  static async #start(conf: Cases, startsOther: Starts): Promise<Sides> {
    await using started = new AsyncDisposableStack()
    const side = async (starts: Starts): Promise<Side> => {
      const backend = started.use(await new Recorder().start())
      return { backend, port: await starts(backend.port, started) }
    }
    const oracle = await side((backendPort) => oraclePort({ ...conf, backendPort }, started))
    const other = await side(startsOther)
    return new Sides(conf.cases, oracle, other, started.move())
  }

  /** What differs, one text for each request that is answered in another way. */
  async differences(): Promise<string[]> {
    const found: string[] = []
    for (const [index, it] of this.cases.entries())
      for (const request of it.requests) found.push(...(await this.#difference(it, hostOf(index), request)))
    return found
  }

  async #difference(it: SnippetCase, host: string, request: CaseRequest): Promise<string[]> {
    this.requests += 1
    const [wanted, got] = await Promise.all([
      this.#ask(this.#oracle, host, request),
      this.#ask(this.#other, host, request),
    ])
    if (wanted === got) return []
    const apart = linesApart(wanted, got)
    const texts = [`${it.name}, ${JSON.stringify(request)}`, textsOf(it), ...apart, `oracle: ${wanted}`]
    return [texts.join("\n")]
  }

  async #ask({ port, backend }: Side, host: string, request: CaseRequest): Promise<string> {
    const got: Exchange = await exchange(port, backend, host, request)
    return shownExchange(got, { [`${port}`]: "<port>", [`${backend.port}`]: "<backend port>" })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#started.disposeAsync()
  }
}

async function oraclePort(conf: OracleConf, started: AsyncDisposableStack): Promise<number> {
  return started.use(await startOracle(conf)).port
}

async function wickPort(conf: OracleConf, started: AsyncDisposableStack): Promise<number> {
  const wick = await startWick({
    manifests: { "all.json": listOf(objectsOf(conf)) },
    flags: ["--configmap=demo/settings"],
  })
  return started.use(wick).port
}
