// How a start goes, or ends, in a cluster: through the process, as its users run it.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ApiServer, startApiServer } from "../../harness/cluster/api-server.ts"
import { grant, type Rule } from "../../harness/cluster/rights.ts"
import { service } from "../../harness/manifests.ts"
import { nodeBinary, root } from "../../harness/paths.ts"
import { freeListeners, listenerFlags } from "../../harness/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "wick-start-"))

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** A Pod, and what is let in as it. */
interface Place {
  readonly namespace: string
  readonly kubeconfig: string
}

/** Makes a Pod `wick-0` with the rights of deploy/static/rbac.yaml. @param lost a verb and a resource that it may not use it on */
async function makePlace(lost?: readonly [verb: string, resource: string]): Promise<Place> {
  const namespace = await server.namespace("start")
  const change = (rules: readonly Rule[]) => rules.map((rule) => without(lost, rule)).filter(isRight)
  const { kubeconfig } = await grant(server, namespace, { change })
  await server.admin.apply({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name: "wick-0" },
    spec: { containers: [{ name: "controller", image: "wick" }] },
  })
  return { namespace, kubeconfig }
}

function without([verb, resource]: readonly [string?, string?] = [], rule: Rule): Rule {
  if (resource === undefined || !rule.resources.includes(resource)) return rule
  return { ...rule, verbs: rule.verbs.filter((allowed) => allowed !== verb) }
}

function isRight({ verbs }: Rule): boolean {
  return verbs.length > 0
}

interface Run {
  readonly flags?: readonly string[]
  /** all that there is, but for PATH */
  readonly env?: Readonly<Record<string, string>>
  /** what the program is an argument of */
  readonly wrapped?: readonly string[]
}

const anything = () => false

/** Runs wick until it ends, or has said enough: then it is told to end. */
async function run(isEnough: (log: string) => boolean, { flags = [], env = {}, wrapped = [] }: Run) {
  const own = [`--runtime-dir=${mkdtempSync(join(folder, "run-"))}`, "--post-shutdown-grace-period=0"]
  const listeners = listenerFlags(await freeListeners())
  const wick = [nodeBinary, join(root, "controller/main.ts"), ...own, ...listeners, ...flags]
  const [program = "", ...args] = [...wrapped, ...wick]
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ...env },
  })
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text
    if (isEnough(log)) child.kill("SIGTERM")
  })
  const [code] = await once(child, "close")
  return { code, log }
}

function runAt(
  { namespace, kubeconfig }: Place,
  isEnough: (log: string) => boolean,
  { flags = [], env }: Run = {},
) {
  return run(isEnough, {
    flags: [`--kubeconfig=${kubeconfig}`, ...flags],
    env: { POD_NAMESPACE: namespace, POD_NAME: "wick-0", ...env },
  })
}

const isConnected = (log: string) => log.includes("Connected to the API server")

describe("a start ends with 1 and a sentence", () => {
  let place: Place
  beforeAll(async () => {
    place = await makePlace()
  })

  test.each<[string, Run, string]>([
    [
      "without the Service of --publish-service",
      { flags: ["--publish-service=default/front"] },
      'Cannot find Service "default/front" of --publish-service: create it, or name one that exists',
    ],
    [
      "without the Service of --default-backend-service",
      { flags: ["--default-backend-service=default/errors"] },
      'Cannot find Service "default/errors" of --default-backend-service: create it, or name one that exists',
    ],
    [
      "without the watched namespace",
      { flags: ["--watch-namespace=nowhere"] },
      'Cannot find namespace "nowhere" of --watch-namespace: create it, or name one that exists',
    ],
    [
      "when POD_NAME is not set",
      { env: { POD_NAME: "" } },
      "Cannot start without POD_NAME and POD_NAMESPACE: set them in the environment from metadata.name and metadata.namespace",
    ],
    [
      "without the kubeconfig file",
      { flags: ["--kubeconfig=/nowhere/config"] },
      "Cannot read --kubeconfig=/nowhere/config: ENOENT: no such file or directory, open '/nowhere/config'",
    ],
  ])("%s", async (_, how, sentence) => {
    const { code, log } = await runAt(place, anything, how)
    expect(log.split("\n")).toContain(`wick: ${sentence}`)
    expect(code).toBe(1)
  })

  test("when POD_NAME names no Pod", async () => {
    const { code, log } = await runAt(place, anything, { env: { POD_NAME: "wick-1" } })
    expect(log).toContain(
      `wick: Cannot find Pod "${place.namespace}/wick-1" of POD_NAMESPACE and POD_NAME: set them from metadata.namespace and metadata.name\n`,
    )
    expect(code).toBe(1)
  })

  test("when it may not read its Pod, on which the status depends", async () => {
    const restricted = await makePlace(["get", "pods"])
    const { code, log } = await runAt(restricted, anything)
    expect(log).toContain(
      `wick: Cannot read Pod "${restricted.namespace}/wick-0", which runs this controller: allow its service account to get Pods in its namespace, or set --update-status=false\n`,
    )
    expect(code).toBe(1)
  })

  test("without anything that says where objects are", async () => {
    const { code, log } = await run(anything, {})
    expect(log).toBe(
      "wick: Cannot start without objects: run in a cluster, name an API server with --kubeconfig FILE or --apiserver-host URL, or a directory with --manifests DIR\n",
    )
    expect(code).toBe(1)
  })
})

describe("a start goes on", () => {
  const isWatching = (log: string) => log.includes("Leading")

  test("with what flags name", async () => {
    const place = await makePlace()
    await server.admin.apply(service(`${place.namespace}/front`))
    const name = `${place.namespace}/front`
    const flags = [
      `--publish-service=${name}`,
      `--default-backend-service=${name}`,
      `--watch-namespace=${place.namespace}`,
    ]
    expect((await runAt(place, isWatching, { flags })).code).toBe(0)
  })

  test("without the right to list IngressClasses, which it says", async () => {
    const { code, log } = await runAt(await makePlace(["list", "ingressclasses"]), isWatching)
    expect(log).toContain("No right to list IngressClasses: spec.ingressClassName is not looked at")
    expect(code).toBe(0)
  })

  test("by the service account of its Pod", async () => {
    const { namespace } = await makePlace()
    const token = await server.token(`${namespace}/wick`)
    const { code, log } = await run(isWatching, {
      wrapped: withServiceAccount({ token, "ca.crt": server.ca }),
      env: {
        POD_NAMESPACE: namespace,
        POD_NAME: "wick-0",
        KUBERNETES_SERVICE_HOST: "127.0.0.1",
        KUBERNETES_SERVICE_PORT: String(server.port),
      },
    })
    const connected = log.split("\n").find(isConnected) ?? "{}"
    expect(JSON.parse(connected)).toMatchObject({
      server: `https://127.0.0.1:${server.port}/`,
      by: "the Pod's service account",
    })
    expect(code).toBe(0)
  })
})

describe("while the API server is away, a start", () => {
  const hasTried = (log: string) => log.includes("No answer from the API server so far")

  test("waits for it", async () => {
    const place = await makePlace()
    await server.kill()
    let back: Promise<unknown> | undefined
    const { code } = await runAt(place, (log) => {
      if (hasTried(log)) back ??= server.start()
      return isConnected(log)
    })
    expect(code).toBe(0)
    await back
  })

  test("can be stopped, which is no failure", async () => {
    const place = await makePlace()
    await server.kill()
    const { code, log } = await runAt(place, hasTried)
    expect(log).not.toContain("wick:")
    expect(code).toBe(0)
    await server.start()
  })
})

/** A command that runs another one where the files of a service account are where they are in a Pod. */
function withServiceAccount(files: Readonly<Record<string, string>>): string[] {
  const place = "/var/run/secrets/kubernetes.io/serviceaccount"
  const script = `mount -t tmpfs none /var/run; mkdir -p ${place}; cp "$0"/* ${place}; exec "$@"`
  const account = mkdtempSync(join(folder, "account-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(account, name), text)
  return ["unshare", "--mount", "sh", "-ec", script, account]
}
