// A kube-apiserver over an etcd of its own, and the ways in which it can fail.
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bound } from "../bound.ts"
import { root } from "../paths.ts"
import { freePorts } from "../ports.ts"
import { isRunning, isStopped, signal } from "../processes.ts"
import { patienceMs, until } from "../until.ts"
import { Client, type Login } from "./client.ts"
import { kubeconfig } from "./kubeconfig.ts"

/** Made by build/apiserver.sh from test/apiserver. */
export const apiServerBinary = join(root, "out/apiserver")

/** Of what lives: Go collects garbage a quarter as often as by default, for some hundred MiB and a fifth less processor time. */
const garbagePercent = "400"

/** A ServiceAccount, as something that runs in the cluster is let in. */
export interface ServiceAccount {
  /** as RBAC names it */
  readonly user: string
  readonly kubeconfig: string
  /** the file that the kubeconfig has the token from */
  readonly tokenFile: string
  readonly client: Client
}

export class ApiServer implements AsyncDisposable {
  readonly port: number
  /** May do everything. */
  readonly admin: Client
  readonly #dir = mkdtempSync(join(tmpdir(), "wick-api-"))
  readonly #flags: readonly string[]
  #etcd: ChildProcess | undefined
  #server: ChildProcess | undefined
  #controllers: ChildProcess | undefined
  #namespaces = 0

  constructor(port: number, flags: readonly string[]) {
    this.port = port
    this.#flags = flags
    execFileSync(apiServerBinary, ["keys", this.#dir])
    this.admin = new Client(this.adminLogin)
  }

  /** For clients in other processes. */
  get adminLogin(): Login {
    const { port, ca } = this
    return { port, ca, cert: this.#read("admin.crt"), key: this.#read("admin.key") }
  }

  /** Pid of kube-apiserver. */
  get pid(): number {
    return this.#server?.pid ?? 0
  }
  /** PEM of the authority that vouches for the server. */
  get ca(): string {
    return this.#read("ca.crt")
  }
  /** PEM of the certificate that the server shows and its key: for a proxy that stands in for it. */
  get serving(): { readonly cert: string; readonly key: string } {
    return { cert: this.#read("server.crt"), key: this.#read("server.key") }
  }
  /** What kube-apiserver said, over all its starts. */
  log(): string {
    return this.#read("server.log")
  }

  /** Starts whatever does not run, and waits until it is ready. */
  async start(): Promise<this> {
    running.add(this)
    if (!this.#runs(this.#etcd)) this.#etcd = this.#spawn("etcd", "etcd.log")
    if (!this.#runs(this.#server)) {
      this.#server = this.#spawn("serve", "server.log", String(this.port), ...this.#flags)
    }
    await this.#untilReady().catch(async (error: Error) => {
      const end = this.log().slice(-4000)
      await this.stop()
      throw new Error(`${error.message}\n${end}`)
    })
    return this
  }

  /** Starts Kubernetes' own controllers of Deployments, ReplicaSets, EndpointSlices and ServiceAccounts, its garbage collector, and what empties deleted namespaces. */
  startControllers(): void {
    this.#controllers ??= this.#spawn("controllers", "controllers.log", String(this.port))
  }

  /** Kills kube-apiserver with -9; what it has stored stays. */
  async kill(): Promise<void> {
    await ended(this.#server)
    this.admin.reconnect()
  }

  /** It takes connections and says nothing, as if its machine were overloaded, until `thaw()`. */
  async freeze(): Promise<void> {
    signal(this.pid, "SIGSTOP")
    await until("the API server to freeze", () => isStopped(this.pid))
  }
  thaw(): void {
    signal(this.pid, "SIGCONT")
  }

  /** Lets etcd forget all revisions but the present one. A server that was started before still knows some of them; one that starts later none. */
  compact(): void {
    execFileSync(apiServerBinary, ["compact", this.#dir])
  }

  /** Makes a namespace that nothing else uses. */
  async namespace(prefix: string, labels: Readonly<Record<string, string>> = {}): Promise<string> {
    this.#namespaces += 1
    const name = `${prefix}-${this.#namespaces}`
    await this.admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } })
    return name
  }

  /** A kubeconfig of the administrator. @param server another way to the API server, `https://127.0.0.1:port` */
  adminKubeconfig(server = this.#url): string {
    const path = join(this.#dir, `admin-${new URL(server).port}.conf`)
    const user = {
      "client-certificate": join(this.#dir, "admin.crt"),
      "client-key": join(this.#dir, "admin.key"),
    }
    writeFileSync(path, kubeconfig(server, join(this.#dir, "ca.crt"), user))
    return path
  }

  /** Makes the ServiceAccount `namespace/name` unless it exists, and asks for a token. @param server as of `adminKubeconfig` */
  async serviceAccount(account: string, server = this.#url): Promise<ServiceAccount> {
    const [namespace = "", name = ""] = account.split("/")
    await this.admin.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name } })
    const token = await this.token(account)
    const base = join(this.#dir, `${namespace}.${name}-${new URL(server).port}`)
    const tokenFile = `${base}.token`
    writeToken(tokenFile, token)
    writeFileSync(`${base}.conf`, kubeconfig(server, join(this.#dir, "ca.crt"), { tokenFile }))
    return {
      user: `system:serviceaccount:${namespace}:${name}`,
      kubeconfig: `${base}.conf`,
      tokenFile,
      client: new Client({ port: this.port, ca: this.ca, token }),
    }
  }

  /** A token of the ServiceAccount `namespace/name`. @param seconds how long it is good: ten minutes at least */
  async token(account: string, seconds = 3600): Promise<string> {
    const [namespace = "", name = ""] = account.split("/")
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
    const answer = await this.admin.send("POST", path, {
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: seconds },
      },
    })
    return (answer as { status: { token: string } }).status.token
  }

  /** Kills everything and removes what it stored. */
  async stop(): Promise<void> {
    await ended(this.#controllers)
    await ended(this.#server)
    await ended(this.#etcd)
    this.admin.reconnect()
    running.delete(this)
    rmSync(this.#dir, { recursive: true, force: true })
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** At once, for the end of this process. */
  killNow(): void {
    for (const child of [this.#controllers, this.#server, this.#etcd])
      if (this.#runs(child)) child?.kill("SIGKILL")
    rmSync(this.#dir, { recursive: true, force: true })
  }

  get #url(): string {
    return `https://127.0.0.1:${this.port}`
  }

  #read(file: string): string {
    return readFileSync(join(this.#dir, file), "utf8")
  }

  #spawn(command: string, log: string, ...args: readonly string[]): ChildProcess {
    const file = openSync(join(this.#dir, log), "a")
    const child = spawn("setpriv", bound("KILL", apiServerBinary, command, this.#dir, ...args), {
      stdio: ["ignore", file, file],
      env: { ...process.env, GOGC: garbagePercent },
    })
    closeSync(file)
    return child
  }

  #runs(child: ChildProcess | undefined): boolean {
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  #untilReady(): Promise<boolean> {
    return until(
      "the API server to become ready",
      async () => {
        if (!this.#runs(this.#server)) throw new Error("The API server ended instead of becoming ready")
        return (await this.admin.send("GET", "/readyz").catch(() => "")) === "ok"
      },
      2 * patienceMs,
    )
  }
}

/** Starts one. @param flags more flags of kube-apiserver */
export async function startApiServer(...flags: readonly string[]): Promise<ApiServer> {
  const [port = 0] = await freePorts(1)
  return new ApiServer(port, flags).start()
}

/** Puts another token into the file, at once, as the kubelet does. */
export function writeToken(file: string, token: string): void {
  writeFileSync(`${file}.part`, token)
  renameSync(`${file}.part`, file)
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
  await until("the process to be gone", () => !isRunning(child.pid ?? 0))
}

const running = new Set<ApiServer>()
process.on("exit", () => {
  for (const server of running) server.killNow()
})
