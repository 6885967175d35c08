// Being let in to a real API server, and how connections to it behave.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Client } from "../../controller/input/cluster/connect/client.ts"
import { openAccess } from "../../controller/input/cluster/connect/configuration.ts"
import type { Access } from "../../controller/input/cluster/connect/credentials.ts"
import { ServiceAccount } from "../../controller/input/cluster/connect/service-account.ts"
import { type ApiServer, startApiServer, writeToken } from "../../harness/cluster/api-server.ts"
import { settings } from "../../harness/manifests.ts"
import { rootAuthority } from "../../harness/pki.ts"
import { until } from "../../harness/until.ts"
import { type Link, startLink } from "./support/link.ts"

const never = new AbortController().signal
const outside = { host: "", port: "" }
const unset = { apiserverHost: "", certificateAuthority: "", kubeconfig: "" }
const version = { method: "GET", path: "/version" } as const
const folder = mkdtempSync(join(tmpdir(), "wick-connect-"))

let server: ApiServer
beforeAll(async () => {
  server = await startApiServer()
  writeFileSync(join(folder, "ca.crt"), server.ca)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** Whom the API server takes somebody for. */
async function whoIs(access: Access): Promise<string> {
  using stack = new DisposableStack()
  const client = stack.adopt(clientOf(access), (client) => client.close())
  return ask(client)
}

async function ask(client: Client): Promise<string> {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }
  const review = await client.send({ method: "POST", path, body }, never)
  return (review as { status: { userInfo: { username: string } } }).status.userInfo.username
}

function clientOf(access: Access): Client {
  return new Client({ access, userAgent: "wick/test" })
}

describe("one is let in", () => {
  test("by a kubeconfig with a client certificate, wherever --apiserver-host says the server is", async () => {
    const kubeconfig = server.adminKubeconfig()
    expect(await whoIs(await openAccess({ ...unset, kubeconfig }, outside))).toBe("admin")
    const elsewhere = server.adminKubeconfig("https://127.0.0.1:1")
    const flags = { ...unset, kubeconfig: elsewhere, apiserverHost: `https://localhost:${server.port}` }
    expect(await whoIs(await openAccess(flags, outside))).toBe("admin")
  })

  test("by a kubeconfig with a token in a file", async () => {
    const { user, kubeconfig } = await server.serviceAccount(`${await server.namespace("tokens")}/wick`)
    expect(await whoIs(await openAccess({ ...unset, kubeconfig }, outside))).toBe(user)
  })

  test("by the files of a service account, of which the token may be late", async () => {
    const account = `${await server.namespace("account")}/wick`
    const { user } = await server.serviceAccount(account)
    writeToken(join(folder, "token"), "no.such.token")
    const access = new ServiceAccount({ host: "localhost", port: String(server.port) }, folder)
    using stack = new DisposableStack()
    const client = stack.adopt(clientOf(access), (client) => client.close())
    await expect(ask(client)).rejects.toMatchObject({ status: 401, reason: "Unauthorized" })
    writeToken(join(folder, "token"), await server.token(account))
    expect(await ask(client)).toBe(user)
  })
})

describe("one is not let in", () => {
  test("without credentials", async () => {
    const apiserverHost = `https://127.0.0.1:${server.port}`
    const certificateAuthority = join(folder, "ca.crt")
    const access = await openAccess({ ...unset, apiserverHost, certificateAuthority }, outside)
    await expect(clientOf(access).send(version, never)).rejects.toMatchObject({ status: 401 })
  })

  test("and does not go in where another authority vouches for the server", async () => {
    const certificateAuthority = join(folder, "other.crt")
    writeFileSync(certificateAuthority, (await rootAuthority()).pem)
    const flags = { ...unset, kubeconfig: server.adminKubeconfig(), certificateAuthority }
    const access = await openAccess({ ...flags, apiserverHost: `https://127.0.0.1:${server.port}` }, outside)
    await expect(clientOf(access).send(version, never)).rejects.toThrow(
      "its certificate is of no authority that is trusted",
    )
  })
})

test("a watch tells of changes within one connection, and ends with the time that it was given", async () => {
  const namespace = await server.namespace("watched")
  const client = clientOf(await openAccess({ ...unset, kubeconfig: server.adminKubeconfig() }, outside))
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  let seconds = 1
  const seen = await until("a watch that is open long enough for a change", async () => {
    const name = `within-${seconds}`
    const query = { watch: "true", timeoutSeconds: `${seconds}`, fieldSelector: `metadata.name=${name}` }
    const seen: unknown[] = []
    for await (const group of client.watch({ method: "GET", path, query }, never)) {
      if (seen.length === 0 && group.length === 0)
        await server.admin.apply(settings(`${namespace}/${name}`, { a: "ü".repeat(100_000) }))
      seen.push(...group)
    }
    seconds *= 4
    return seen.length > 0 && seen
  })
  expect(seen).toMatchObject([{ type: "ADDED", object: { data: { a: "ü".repeat(100_000) } } }])
  client.close()
})

describe("a connection", () => {
  let link: Link
  let client: Client
  beforeAll(async () => {
    link = await startLink(server.port)
    client = clientOf(await openAccess({ ...unset, kubeconfig: server.adminKubeconfig(link.url) }, outside))
  })
  afterAll(async () => {
    client.close()
    await link[Symbol.asyncDispose]()
  })

  test("that is cut in the middle of an object ends the watch with what came before", async () => {
    const query = { watch: "true" }
    const path = "/api/v1/namespaces"
    const seen: unknown[] = []
    const watching = (async () => {
      for await (const group of client.watch({ method: "GET", path, query }, never)) seen.push(...group)
    })()
    // Expected from the beginning: it may end while the namespace is still being made.
    const isCut = expect(watching).rejects.toMatchObject({ status: 0 })
    await until("the namespaces", () => seen.length > 3)
    const before = seen.length
    link.resetAfter(100)
    await server.namespace("cut")
    await isCut
    expect(seen.length).toBe(before)
  })

  test("on which nothing comes any more is asked after by the kernel, within a quarter of a minute", async () => {
    const stop = new AbortController()
    const query = { watch: "true" }
    const groups = client.watch({ method: "GET", path: "/api/v1/nodes", query }, stop.signal)
    await groups.next()
    const left = await until("the timer", () => keepAliveSeconds(link.port))
    stop.abort()
    expect(left).toBeGreaterThan(5)
    expect(left).toBeLessThanOrEqual(15)
  })
})

/** How long until the kernel asks whether somebody is still there, on an established connection to this port. Source: proc(5), /proc/net/tcp. */
function keepAliveSeconds(port: number): number | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, "0")
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n")
  const timers = lines.flatMap((line) => {
    const [, , remote, state, , timer = ""] = line.trim().split(/\s+/)
    const [kind, ticks = ""] = timer.split(":")
    const isKeepAlive = remote?.endsWith(`:${hex}`) && state === "01" && kind === "02"
    return isKeepAlive ? [Number.parseInt(ticks, 16) / 100] : []
  })
  return timers[0]
}
