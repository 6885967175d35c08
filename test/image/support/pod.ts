// A Pod of wick's image at a real API server: the container with what the kubelet puts into it, an Ingress, and pods behind that.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Backends } from "../../../harness/backends.ts"
import type { ApiServer } from "../../../harness/cluster/api-server.ts"
import { podPort, sliceOf, startPods } from "../../../harness/cluster/pods.ts"
import { grant } from "../../../harness/cluster/rights.ts"
import { type Answer, ask, type Question } from "../../../harness/http.ts"
import { ingress, ingressClass, service, settings } from "../../../harness/manifests.ts"
import { patienceMs, until } from "../../../harness/until.ts"
import { Container, type ContainerOptions } from "./container.ts"

export interface PodOptions extends Omit<ContainerOptions, "args"> {
  /** of the controller, beside those that the chart gives it */
  readonly flags?: readonly string[]
  /** name of its ConfigMap, which is made, and empty */
  readonly configmap?: string
}

const host = "first.test"
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

export class Pod implements AsyncDisposable {
  readonly namespace: string
  /** what the Ingress leads to */
  readonly backends: Backends
  readonly #options: ContainerOptions
  readonly #dir: string
  container: Container

  constructor(namespace: string, backends: Backends, dir: string, options: ContainerOptions) {
    this.namespace = namespace
    this.backends = backends
    this.#dir = dir
    this.#options = options
    this.container = new Container(options)
  }

  /** One request by HTTP to port 80. */
  get(path = "/", question: Question = {}): Promise<Answer> {
    return ask({ port: 80 }, { path, host, ...question })
  }

  /** Waits until the readiness probe succeeds. */
  async ready(): Promise<this> {
    const isReady = async () => {
      if (this.container.hasEnded) throw new Error("The container ended instead of becoming ready")
      const answer = await ask({ port: 10254 }, { path: "/healthz" }).catch(() => undefined)
      return answer?.status === 200
    }
    await until("the Pod to become ready", isReady, 2 * patienceMs).catch(async (error: Error) => {
      const { err } = this.container
      await this.stop()
      throw new Error(`${error.message}\n${err}`)
    })
    return this
  }

  /** Another container in the place of one that has ended, as the kubelet starts it. */
  async restart(): Promise<void> {
    this.container = new Container(this.#options)
    await this.ready()
  }

  /** The Pod's files are gone; the objects stay. @returns what the container ended with */
  async stop(): Promise<number | null> {
    const code = await this.container.stop()
    await this.backends.stop()
    rmSync(this.#dir, { recursive: true, force: true })
    return code
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Starts one, and waits until it is ready. Only one at a time: it listens on the ports that users' do. */
export async function startPod(server: ApiServer, options: PodOptions = {}): Promise<Pod> {
  const namespace = await server.namespace("image")
  const { flags = [], configmap, env = {}, mounts = {}, ...rest } = options
  const backends = await startPods("one", "two")
  const web = `${namespace}/web`
  await server.admin.apply(
    ingressClass,
    service(web, podPort),
    sliceOf(web, backends.slice(0, 1)),
    ingress(`${namespace}/first`, `${host}/ → web:${podPort}`),
    podObject(namespace),
  )
  const ofSettings = configmap === undefined ? [] : [`--configmap=${namespace}/${configmap}`]
  if (configmap !== undefined) await server.admin.apply(settings(`${namespace}/${configmap}`, {}))
  const dir = mkdtempSync(join(tmpdir(), "wick-pod-"))
  await writeServiceAccount(server, namespace, dir)
  return new Pod(namespace, backends, dir, {
    args: [
      "/nginx-ingress-controller",
      ...usualFlags,
      `--watch-namespace=${namespace}`,
      ...ofSettings,
      ...flags,
    ],
    env: {
      POD_NAME: "wick-0",
      POD_NAMESPACE: namespace,
      KUBERNETES_SERVICE_HOST: "localhost",
      KUBERNETES_SERVICE_PORT: `${server.port}`,
      ...env,
    },
    mounts: { [serviceAccount]: dir, ...mounts },
    tmp: join(dir, "tmp"),
    ...rest,
  }).ready()
}

/** What the chart's args are by default. */
const usualFlags = [
  "--election-id=ingress-nginx-leader",
  "--controller-class=k8s.io/ingress-nginx",
  "--ingress-class=nginx",
  "--enable-metrics=true",
  "--post-shutdown-grace-period=0",
]

/** The token belongs to the user of all containers, as the kubelet has it. */
async function writeServiceAccount(server: ApiServer, namespace: string, dir: string): Promise<void> {
  await grant(server, namespace)
  chmodSync(dir, 0o755)
  writeFileSync(join(dir, "token"), await server.token(`${namespace}/wick`), { mode: 0o600 })
  chownSync(join(dir, "token"), 101, 82)
  writeFileSync(join(dir, "ca.crt"), server.ca, { mode: 0o644 })
  writeFileSync(join(dir, "namespace"), namespace, { mode: 0o644 })
}

function podObject(namespace: string) {
  const labels = { "app.kubernetes.io/name": "ingress-nginx", "app.kubernetes.io/component": "controller" }
  const spec = { containers: [{ name: "controller", image: "wick" }] }
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace, name: "wick-0", labels }, spec }
}
