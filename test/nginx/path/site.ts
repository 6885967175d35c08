// wick with four workers and some backends, for cases that say something in YAML and look at the answers. Every change is written whole, and
// is in force when `put` returns.
import { expect } from "vitest"
import { type Backends, startBackends } from "../../../harness/backends.ts"
import type { Answer, Question } from "../../../harness/http.ts"
import {
  ingress,
  ingressClass,
  type Json,
  manifest,
  serviceOn,
  settings,
} from "../../../harness/manifests.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"

/** Stays healthy whatever a case does to the others. */
const signBackend = "sign"

const signOf = (put: number) => `put-${put}.test`

export interface SiteOptions {
  /** more flags */
  readonly flags?: readonly string[]
  /** more environment variables of the controller */
  readonly env?: Readonly<Record<string, string>>
}

export class Site implements AsyncDisposable {
  readonly wick: Wick
  readonly backends: Backends
  readonly #reloads: number
  #puts = 0
  #marks = 0

  private constructor(wick: Wick, backends: Backends, reloads: number) {
    this.wick = wick
    this.backends = backends
    this.#reloads = reloads
  }

  /** @param names one backend each */
  static async start(names: readonly string[], { flags = [], env = {} }: SiteOptions = {}): Promise<Site> {
    const backends = await startBackends(...names, signBackend)
    const wick = await startWick({
      manifests: { "class.yaml": manifest(ingressClass), "settings.yaml": settingsFile({}) },
      // A reload need not wait until three seconds after the one before.
      flags: ["--configmap=demo/settings", "--sync-rate-limit=100", ...flags],
      env,
    })
    return new Site(wick, backends, await wick.metric("nginx_ingress_controller_success"))
  }

  /** A Service of the namespace `demo` with these backends as its endpoints. */
  service(name: string, ...endpoints: readonly string[]): Json[] {
    return serviceOn(
      `demo/${name}`,
      endpoints.map((endpoint) => this.backend(endpoint).port),
    )
  }

  backend(name: string) {
    const backend = this.backends.find((candidate) => candidate.name === name)
    if (backend === undefined) throw new Error(`There is no backend ${name}`)
    return backend
  }

  /** Replaces everything that the case before has put, and waits until it is in force. */
  async put(...objects: readonly Json[]): Promise<void> {
    this.#puts += 1
    // All that a file sets is one change, and all that it has no more is another, some time later: the last host of either is a sign.
    const own = [
      ...this.service("sign", signBackend),
      ingress(`demo/sign-${this.#puts}`, `${signOf(this.#puts)}/ → sign:80`),
    ]
    this.wick.write("case.yaml", manifest(...objects, ...own))
    const isServed = async (put: number) =>
      (await this.wick.get("/", { host: signOf(put) })).body === signBackend
    await until("what was put to be served", () => isServed(this.#puts))
    await until("what was put before to be gone", async () => !(await isServed(this.#puts - 1)))
  }

  /** Sets keys of the ConfigMap. */
  configure(data: Readonly<Record<string, string>>): void {
    this.wick.write("settings.yaml", settingsFile(data))
  }

  /** Sets keys of the ConfigMap, and waits for the reload that this costs. */
  async reconfigure(data: Readonly<Record<string, string>>): Promise<void> {
    this.#marks += 1
    // Of no consequence, and in every nginx.conf: by it the right one is known.
    const mark = 2048 + this.#marks
    this.configure({ "variables-hash-max-size": String(mark), ...data })
    await until("the settings to be in force", async () => {
      const text = this.wick.conf()
      const hash = Number(/checksum: (\d+)$/m.exec(text)?.[1])
      const isMarked = text.includes(`variables_hash_max_size ${mark};`)
      return isMarked && (await this.wick.metric("nginx_ingress_controller_config_hash")) === hash
    })
  }

  get(path: string, question: Question = {}): Promise<Answer> {
    return this.wick.get(path, { host: "foo.test", ...question })
  }

  /** Who answered each of `count` requests, with how many of them, all on connections of their own. */
  async shares(count: number, question: Question = {}, path = "/"): Promise<Map<string, number>> {
    const shares = new Map<string, number>()
    const inParallel = 16
    let left = count
    const work = async () => {
      while (left > 0) {
        left -= 1
        const { status, body } = await this.get(path, question)
        const who = status === 200 ? body : String(status)
        shares.set(who, (shares.get(who) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: inParallel }, work))
    return shares
  }

  /** Who answered, without how often. */
  async answering(count: number, question: Question = {}, path = "/"): Promise<string[]> {
    return [...(await this.shares(count, question, path)).keys()].sort()
  }

  /** Nothing that was put needed a reload. */
  async expectOnlyPosts(): Promise<void> {
    expect(await this.wick.metric("nginx_ingress_controller_success")).toBe(this.#reloads)
  }

  /** Whether the controller has ever logged a Problem of this code. It does so after the pass: wait for it with `untilProblem`. */
  hasProblem(code: string): boolean {
    return this.wick.log().includes(`"${code}"`)
  }

  untilProblem(code: string): Promise<unknown> {
    return until(`Problem ${code}`, () => this.hasProblem(code))
  }

  /** Waits until the controller or nginx has logged this in a value of a line; what they do may be seen before. */
  untilSaid(text: string): Promise<unknown> {
    const quoted = JSON.stringify(text).slice(1, -1)
    return until(`"${text}" in the log`, () => this.wick.log().includes(quoted))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.wick.stop()
    await this.backends.stop()
  }
}

function settingsFile(data: Readonly<Record<string, string>>): string {
  return manifest(settings("demo/settings", { "worker-processes": "4", ...data }))
}
