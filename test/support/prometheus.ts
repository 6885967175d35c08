// A real Prometheus on a free port of loopback, and promtool.
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bound } from "../../harness/bound.ts"
import { ask } from "../../harness/http.ts"
import { root } from "../../harness/paths.ts"
import { freePorts } from "../../harness/ports.ts"
import { end } from "../../harness/processes.ts"
import { until } from "../../harness/until.ts"

/** What is scraped, and the labels that say where it is found. */
export interface ScrapeTarget {
  readonly job: string
  readonly port: number
  readonly labels?: Readonly<Record<string, string>>
}

export interface Result {
  readonly labels: Readonly<Record<string, string>>
  /** NaN where Prometheus says so */
  readonly value: number
}

let dir: string | undefined

/** Folder of `prometheus` and `promtool`, fetched when it is not there yet. */
function programs(): string {
  if (dir === undefined)
    execFileSync(join(root, "build/prometheus.sh"), { stdio: ["ignore", "inherit", "inherit"] })
  dir = join(root, "out/prometheus")
  return dir
}

export const promtool = () => join(programs(), "promtool")

export class Prometheus implements AsyncDisposable {
  readonly port: number
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-prometheus-"))
  readonly #process: ChildProcess
  #log = ""

  private constructor(port: number, targets: readonly ScrapeTarget[], features: readonly string[]) {
    this.port = port
    const file = join(this.#dir, "prometheus.json")
    writeFileSync(file, JSON.stringify(configurationOf(targets))) // YAML, too
    const flags = {
      "config.file": file,
      "storage.tsdb.path": join(this.#dir, "data"),
      "web.listen-address": `127.0.0.1:${port}`,
      "log.level": "warn",
    }
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
    if (features.length > 0) args.push(`--enable-feature=${features.join()}`)
    const command = bound("KILL", join(programs(), "prometheus"), ...args)
    this.#process = spawn("setpriv", command, { stdio: ["ignore", "ignore", "pipe"] })
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#log += text
    })
  }

  /** @param features `--enable-feature` */
  static async start(
    targets: readonly ScrapeTarget[],
    features: readonly string[] = [],
  ): Promise<Prometheus> {
    const [port = 0] = await freePorts(1)
    const prometheus = new Prometheus(port, targets, features)
    await until("Prometheus to be ready", () => prometheus.#isReady()).catch(async (error: Error) => {
      await prometheus[Symbol.asyncDispose]()
      throw new Error(`${error.message}\n${prometheus.#log}`)
    })
    return prometheus
  }

  /** What an instant query says now. @throws when Prometheus does not take the query */
  async query(query: string): Promise<readonly Result[]> {
    const path = `/api/v1/query?${new URLSearchParams({ query })}`
    const { status, body } = await ask({ port: this.port }, { path })
    if (status !== 200) throw new Error(`Prometheus answered ${status} to ${query}: ${body}`)
    return resultsIn(JSON.parse(body).data)
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.pid !== 0) await end(this.pid, "SIGTERM")
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #isReady(): Promise<boolean> {
    if (this.#process.exitCode !== null) throw new Error(`Prometheus ended with ${this.#process.exitCode}`)
    const answer = await ask({ port: this.port }, { path: "/-/ready" }).catch(() => undefined)
    return answer?.status === 200
  }
}

/** Scraped so often that rates over a few samples are there soon. */
function configurationOf(targets: readonly ScrapeTarget[]): object {
  return {
    // A scrape that takes longer than it may, as on a busy machine, is none.
    global: { scrape_interval: "2s", scrape_timeout: "2s" },
    scrape_configs: targets.map(({ job, port, labels = {} }) => ({
      job_name: job,
      static_configs: [{ targets: [`127.0.0.1:${port}`], labels }],
    })),
  }
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

/** Source: Prometheus' HTTP API, "Expression query result formats". */
function resultsIn(data: { resultType: string; result: unknown }): readonly Result[] {
  if (data.resultType !== "vector") throw new Error(`The result is no vector but ${data.resultType}`)
  return (data.result as readonly Sample[]).map(({ metric, value: [, text] }) => ({
    labels: metric,
    value: numberOf(text),
  }))
}

function numberOf(text: string): number {
  return /^[+-]Inf$/.test(text) ? Number(text.replace("Inf", "Infinity")) : Number(text)
}
