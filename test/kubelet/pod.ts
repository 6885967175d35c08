// What the kubelet does with a Pod of its node: runs its container, asks its probes, tells the API server, and ends it in good order.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import type { ApiObject } from "../../harness/cluster/client.ts"
import { until } from "../../harness/until.ts"
import { Container, type Image, type RunningContainer } from "./container.ts"
import { ImageContainer } from "./image-container.ts"
import { apiAddress, podAddress } from "./network.ts"
import { type Probe, type Probed, probe } from "./probe.ts"
import { Sandbox } from "./sandbox.ts"
import { commandOf, environmentOf, portOf } from "./spec.ts"
import { PodStatus } from "./status.ts"
import { writeVolumes } from "./volumes.ts"

export interface PodOptions {
  readonly server: ApiServer
  readonly images: Readonly<Record<string, Image>>
  /** its number among the Pods of the node, for its address */
  readonly place: number
  readonly probeSecondMs: number
}

/** The least that SIGTERM is given, however long the preStop hook took, in milliseconds. Source: kubelet, minimumGracePeriodInSeconds. */
const minTermMs = 2000

/** How long a second of a liveness probe takes, in milliseconds. */
const livenessSecondMs = 10_000

/** In the certificate of the API server, as its address is not. */
const apiName = "kubernetes.default.svc"

export class Pod {
  /** `namespace/name` */
  readonly name: string
  readonly address: string
  /** When it was told to end, in `performance.now()` milliseconds, and when its container had ended. */
  readonly times: { told?: number; ended?: number } = {}
  readonly #pod: ApiObject
  readonly #options: PodOptions
  readonly #status: PodStatus
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-pod-"))
  readonly #asking = new AbortController()
  #mounts: Readonly<Record<string, string>> = {}
  #sandbox: Sandbox | undefined
  #container: RunningContainer | undefined
  #restarts = 0
  #isReady = false
  #isEnding = false

  constructor(pod: ApiObject, options: PodOptions) {
    this.#pod = pod
    this.#options = options
    this.#status = new PodStatus(pod, options.server.admin)
    this.name = `${pod.metadata.namespace}/${pod.metadata.name}`
    this.address = podAddress(options.place)
  }

  get isReady(): boolean {
    return this.#isReady
  }
  /** Of its container's first process; undefined when none runs. */
  get pid(): number | undefined {
    return this.#container?.pid
  }
  /** What its containers wrote, one after the other. */
  log(): string {
    return this.#container?.log() ?? ""
  }

  /** Runs another program in its container, as `kubectl exec`. @returns its exit code, or the signal that ended it */
  exec(command: readonly string[]): Promise<number | string> {
    if (this.#container === undefined) throw new Error(`${this.name} has no container`)
    return this.#container.exec(command)
  }

  async start(): Promise<void> {
    await this.#writeFiles()
    this.#mounts = await writeVolumes(this.#pod, this.#dir, this.#options.server.admin)
    this.#sandbox = await Sandbox.start(this.#options.place)
    if (this.#isEnding) return this.kill()
    this.#run(this.#sandbox)
    this.#report()
    this.#probe()
  }

  /** In the kubelet's order: the preStop hook, then SIGTERM, then SIGKILL when the grace period is over. The object goes last. */
  async end(graceSeconds: number): Promise<void> {
    if (this.#isEnding) return
    this.#isEnding = true
    this.times.told = performance.now()
    if (this.#container !== undefined) await this.#endContainer(this.#container, graceSeconds * 1000)
    this.times.ended = performance.now()
    await this.kill()
    await this.#status.forget()
  }

  /** At once. */
  async kill(): Promise<void> {
    this.#isEnding = true
    this.#asking.abort()
    this.#container?.signal("SIGKILL")
    await this.#container?.ended
    this.#sandbox?.end()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #endContainer(container: RunningContainer, graceMs: number): Promise<void> {
    const begun = performance.now()
    const hook = this.#spec.lifecycle?.preStop?.exec?.command
    if (hook !== undefined) await within(graceMs, container.exec(hook))
    container.signal("SIGTERM")
    await within(Math.max(begun + graceMs - performance.now(), minTermMs), container.ended)
  }

  /** The container, and the next one in its place when it ends by itself. */
  #run(sandbox: Sandbox): void {
    const image = this.#options.images[this.#spec.image]
    if (image === undefined) throw new Error(`There is no image ${this.#spec.image} here`)
    const api = { KUBERNETES_SERVICE_HOST: apiName, KUBERNETES_SERVICE_PORT: "443" }
    const env = { ...environmentOf(this.#pod, this.address), ...api }
    const command = commandOf(this.#spec, env)
    const hostname = this.#pod.metadata.name
    const options = { env, command, dir: this.#dir, mounts: this.#mounts, hostname, sandbox: sandbox.pid }
    const container = image === "built" ? new ImageContainer(options) : new Container({ ...options, image })
    this.#container = container
    container.ended.then(async () => {
      if (this.#isEnding) return
      this.#restarts += 1
      this.#setReady(false)
      await pause(1000)
      if (!this.#isEnding) this.#run(sandbox)
    })
  }

  async #writeFiles(): Promise<void> {
    const { server } = this.#options
    const { namespace = "", name } = this.#pod.metadata
    const account = join(this.#dir, "account")
    mkdirSync(account)
    const serviceAccount = `${namespace}/${this.#pod.spec.serviceAccountName ?? "default"}`
    await until(`the ServiceAccount ${serviceAccount}`, () =>
      server.admin.get("ServiceAccount", serviceAccount),
    )
    const token = await server.token(serviceAccount)
    const hosts = `127.0.0.1 localhost\n${this.address} ${name}\n${apiAddress} ${apiName}\n`
    const files = {
      "account/token": token,
      "account/namespace": namespace,
      "account/ca.crt": server.ca,
      hosts,
      log: "",
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(join(this.#dir, file), text)
  }

  /** Readiness is asked to the end; a container that does not live is killed, and so started again. */
  #probe(): void {
    const { readinessProbe, livenessProbe }: Record<string, Probe | undefined> = this.#spec
    const probed: Probed = {
      address: this.address,
      portOf: (port) => portOf(this.#spec, port),
      secondMs: this.#options.probeSecondMs,
      signal: this.#asking.signal,
    }
    if (readinessProbe === undefined) this.#setReady(true)
    else probe(readinessProbe, probed, (isReady) => this.#setReady(isReady))
    if (livenessProbe === undefined) return
    // Who is killed for a slow start starts again, as slowly: on a machine with other load for ever.
    probe(livenessProbe, { ...probed, secondMs: livenessSecondMs }, (isLive) => {
      if (!isLive && !this.#isEnding) this.#container?.signal("SIGKILL")
    })
  }

  #setReady(isReady: boolean): void {
    if (this.#isReady === isReady) return
    this.#isReady = isReady
    this.#report()
  }

  #report(): void {
    this.#status.report({ address: this.address, isReady: this.#isReady, restarts: this.#restarts })
  }

  /** Of the one container. */
  // biome-ignore lint/suspicious/noExplicitAny: as the API server tells it
  get #spec(): any {
    return this.#pod.spec.containers[0]
  }
}

async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  await Promise.race([done, pause(ms, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
}
