// `wick diff` as it is called, with servers of Node on both sides.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { keptMs } from "../../../../harness/http.ts"
import { ingress, manifest } from "../../../../harness/manifests.ts"
import { nodeBinary, root as project } from "../../../../harness/paths.ts"
import { runSubCommand } from "../../../support/sub-command.ts"

const root = mkdtempSync(join(tmpdir(), "wick-diff-"))
const directory = join(root, "manifests")
const password = "correct horse"

/** Asks for a user, and says what it is asked. */
const listener =
  (change: Readonly<Record<string, string>>): RequestListener =>
  ({ url = "", headers }, response) => {
    const isKnown = headers.authorization === `Basic ${Buffer.from(`ann:${password}`).toString("base64")}`
    if (url.startsWith("/users") && !isKnown) {
      response.statusCode = 401
      return response.end()
    }
    response.setHeader("x-path", change[url] ?? url)
    return response.end(`${headers.host}`)
  }

const servers = [listener({}), listener({ "/cart?token=hidden": "changed", "/users": "changed" })].map((it) =>
  createServer({ keepAliveTimeout: keptMs }, it),
)
const closing = createServer({ keepAliveTimeout: keptMs }, (_, response) => {
  response.statusCode = 403
  response.end()
})
let old = ""
let now = ""
let refusing = ""

beforeAll(async () => {
  mkdirSync(directory)
  const users = { "auth-type": "basic", "auth-secret": "users" }
  writeFileSync(
    join(directory, "a.yaml"),
    manifest(
      ingress("shop/cart", "cart.test/cart → cart:80", { "server-snippet": "gzip on;" }),
      ingress("shop/users", "users.test/users =→ users:80", users),
    ),
  )
  writeFileSync(join(root, "netrc"), `machine users.test login ann password "${password}"`)
  const lines = ["/cart?token=hidden", "/cart/1", "/cart/1"].map((path) =>
    JSON.stringify({ path, method: "GET" }),
  )
  writeFileSync(join(root, "access.log"), [...lines, '{"path":"/x","method":"DELETE"}'].join("\n"))
  for (const server of [...servers, closing]) {
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
  }
  ;[old = "", now = "", refusing = ""] = [...servers, closing].map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
})
afterAll(() => {
  for (const server of [...servers, closing]) server.close()
  rmSync(root, { recursive: true })
})

const run = (...args: readonly string[]) => runSubCommand("diff", ...args, "--rate=1000")

test("both answer alike", async () => {
  const { said, exitCode, failure } = await run(old, old, directory)
  expect(failure).toBeUndefined()
  expect(said).toMatch(/^(\d+) of \1 requests to 3 hosts got the same answer from both\.\n/)
  expect(said).toContain("Not asked: ")
  expect(exitCode).toBe(0)
})

test("what differs, with what is known of its Ingress and a line to see it", async () => {
  const log = [`--access-log=${join(root, "access.log")}`, "--host=cart.test"]
  const { said, exitCode } = await run(old, now, directory, ...log)
  expect(exitCode).toBe(2)
  expect(said).toContain("header x-path: was /cart?token=[redacted], now changed")
  expect(said).toContain("[snippets-without-permission]")
  expect(said).toContain("such as GET http://cart.test/cart?token=[redacted] (access log)")
  expect(said).toMatch(/see: for at in 127\.0\.0\.1:\d+ 127\.0\.0\.1:\d+; do curl /)
  expect(said).toContain("1 as their methods may change something (--unsafe-methods)")
})

test("with credentials of a file, which are not printed", async () => {
  const args = [old, now, directory, `--netrc-file=${join(root, "netrc")}`, "--json"]
  const { said } = await run(...args)
  const { groups } = JSON.parse(said)
  const found = groups.find(
    ({ example }: { example: { request: { host: string } } }) => example.request.host === "users.test",
  )
  expect(found).toMatchObject({ difference: { aspect: "header x-path" }, ingresses: ["shop/users"] })
  expect(found.example.curl).toContain("--netrc-file")
  expect(said + (await run(...args, "--dry-run")).said).not.toMatch(/correct|Basic|hidden/)
})

test("what is refused now", async () => {
  const { said, exitCode } = await run(old, refusing, directory)
  expect(exitCode).toBe(3)
  expect(said).toContain("Refused or not answered now, and answered before\n  status: was 200, now 403")
})

test("nobody answers", async () => {
  const { said, exitCode } = await run("http://127.0.0.1:1", "http://127.0.0.1:1", directory)
  expect(exitCode).toBe(2)
  expect(said).toContain("answered by neither (connection refused: ")
})

test("Ctrl-C prints what there is so far", async () => {
  const { promise: asked, resolve: hang } = Promise.withResolvers<void>()
  const hanging = createServer(() => hang()).listen(0, "127.0.0.1")
  await once(hanging, "listening")
  const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
  const words = [join(project, "controller/main.ts"), "diff", url, old, directory]
  const child = spawn(nodeBinary, words, { stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  const ended = once(child, "close")
  await asked
  child.kill("SIGINT")
  const [exitCode] = await ended
  hanging.closeAllConnections()
  hanging.close()
  expect(said).toMatch(/^0 of 0 requests .*\nInterrupted: \d+ more were not asked\.\n/)
  expect(exitCode).toBe(2)
})

test("the requests, without sending any", async () => {
  const { said } = await run("http://127.0.0.1:1", "http://127.0.0.1:1", directory, "--dry-run")
  expect(said).toContain("GET http://cart.test/cart/wick-diff  (below the prefix path of shop/cart)\n")
  const { requests } = JSON.parse((await run(old, now, directory, "--dry-run", "--json")).said)
  expect(requests[0]).toMatchObject({ method: "GET", scheme: "http", host: "cart.test", target: "/cart" })
})

test("no more than are wanted", async () => {
  const { requests } = JSON.parse(
    (await run(old, now, directory, "--dry-run", "--json", "--max-requests=5")).said,
  )
  expect(requests).toHaveLength(5)
})

test.each([
  ["addresses", [], "It needs two addresses"],
  ["requests", ["10.0.0.1", "10.0.0.2"], "It needs Ingresses or requests"],
  ["one source of objects", ["10.0.0.1", "10.0.0.2", "dir", "--kubeconfig=x"], "one too many"],
  ["numbers", ["10.0.0.1", "10.0.0.2", directory, "--timeout=0"], "write a whole number"],
  ["times that a timer takes", ["10.0.0.1", "10.0.0.2", directory, "--timeout=3000000"], "to 2147483"],
  ["files that are there", ["10.0.0.1", "10.0.0.2", directory, "--cacert=/nowhere"], "Cannot read"],
])("it needs %s", async (_, args, sentence) => expect((await run(...args)).failure).toContain(sentence))
