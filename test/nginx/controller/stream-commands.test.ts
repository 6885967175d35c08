// What people see of TCP and UDP services in a wick that runs: `wick streams`, `wick explain tcp://…`, `wick top ports`, the page's JSON, the access log.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ask } from "../../../harness/http.ts"
import { Client, rawTarget, type Target } from "../../../harness/ingress/passthrough.ts"
import { ingressClass, manifest, serviceOn, settings } from "../../../harness/manifests.ts"
import { freePorts } from "../../../harness/ports.ts"
import { answerOf } from "../../../harness/streams.ts"
import { until } from "../../../harness/until.ts"
import { startWick, type Wick } from "../../../harness/wick.ts"
import { runSubCommand } from "../../support/sub-command.ts"

let wick: Wick
let target: Target
const dir = mkdtempSync(join(tmpdir(), "wick-stream-commands-"))
const log = join(dir, "stream.log")
let [plain, named, empty]: readonly [number, number, number] = [0, 0, 0]
beforeAll(async () => {
  const [one = 0, two = 0, three = 0] = await freePorts(3)
  ;[plain, named, empty] = [one, two, three]
  target = await rawTarget("db")
  const port = Number(target.address.split(":").at(-1))
  const names = { "eu.test": "shop/db:80", "*.shop.test": "shop/empty:80" }
  const entries = {
    [plain]: JSON.stringify({ service: "shop/db:80", deny: ["192.0.2.0/24"], connections: 9 }),
    [named]: JSON.stringify({ names }),
    [empty]: "shop/empty:80",
    none: "shop/db:80",
  }
  const objects = [
    ingressClass,
    settings("shop/tcp", entries),
    settings("shop/settings", {
      "log-format-stream": "$protocol $server_port to $service_name: $status",
      "stream-access-log-path": log,
    }),
    ...serviceOn("shop/db", [port]),
    ...serviceOn("shop/empty", []),
  ]
  const flags = ["--tcp-services-configmap=shop/tcp", "--configmap=shop/settings", "--metrics-per-endpoint"]
  wick = await startWick({ manifests: { "all.yaml": manifest(...objects) }, flags })
  await until("a session", async () => {
    using client = new Client(plain)
    return (await Promise.race([answerOf(client), client.closed])) === "db"
  })
})
afterAll(async () => {
  await wick.stop()
  await target[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
})

async function look(name: string, ...args: readonly string[]): Promise<string> {
  const { failure, said, exitCode } = await runSubCommand(name, ...args, "--runtime-dir", wick.runtimeDir)
  expect([failure, exitCode]).toEqual([undefined, 0])
  return said
}

const cells = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/))

describe("wick streams", () => {
  test("lists ports with what they lead to and what was counted", async () => {
    const [head, ...rows] = cells(await look("streams"))
    expect(head).toEqual(["PORT", "NAME", "BACKEND", "OPEN", "SESSIONS", "FAILED", "REFUSED", "NOTES"])
    const rowOf = (port: number) => rows.filter(([name]) => name === `tcp:${port}`)
    expect(rowOf(plain)[0]?.slice(1, 3)).toEqual(["-", "tcp:shop/db:80"])
    expect(rowOf(plain)[0]?.at(-1)).toBe("not for some networks; 9 at a time of one client")
    expect(rowOf(named).map((row) => row.slice(1, 4))).toEqual([
      ["*.shop.test", "tcp:shop/empty:80", "-"],
      ["eu.test", "tcp:shop/db:80"],
    ])
    expect(rows).toHaveLength(4)
  })

  test("of one: its endpoints, notes and numbers; by number alone, too", async () => {
    const said = await look("streams", `tcp:${plain}`)
    expect(await look("streams", `${plain}`)).toBe(said)
    expect(said).toContain(
      `tcp:${plain}, asked for by shop/tcp\n  tcp:shop/db:80  round_robin\n    ${target.address}`,
    )
    expect(said).toMatch(/ {2}ends after 600 s without data\n/)
    expect(said).toMatch(/ {2}\d+ sessions? so far, \d open\n/)
    expect(await look("streams", `tcp:${empty}`)).toContain("nobody has come yet")
  })

  test("wide, as names, as JSON and as YAML", async () => {
    const wide = cells(await look("streams", "-o", "wide"))
    expect(wide[0]).toContain("SERVICE")
    expect(wide.find(([name]) => name === `tcp:${plain}`)?.slice(3, 5)).toEqual(["shop/db:80", "shop/tcp"])
    const sorted = [plain, named, empty].sort((a, b) => a - b).map((port) => `tcp:${port}\n`)
    expect(await look("streams", "-o", "name")).toBe(sorted.join(""))
    const [json] = JSON.parse(await look("streams", `tcp:${plain}`, "-o", "json"))
    expect(json).toMatchObject({ name: `tcp:${plain}`, backend: "tcp:shop/db:80", connections: 9 })
    expect(json.counters.sessions).toBeGreaterThan(0)
    expect(await look("streams", `tcp:${empty}`, "-o", "yaml")).toContain(`- name: tcp:${empty}\n`)
  })

  test("says when there is none", async () => {
    const { failure } = await runSubCommand("streams", "udp:1", "--runtime-dir", wick.runtimeDir)
    expect(failure).toBe('There is no port "udp:1" in force: wick streams lists them')
  })
})

describe("wick explain tcp://", () => {
  test("says which Service a port leads to, and who may come", async () => {
    const said = await look("explain", `tcp://127.0.0.1:${plain}`, "--client", "198.51.100.1")
    expect(said).toContain(`TCP port ${plain} goes to shop/db:80\n`)
    expect(said).toMatch(/ access +not for 192\.0\.2\.0\/24\n/)
    expect(said).toContain("The client gets one of 1 endpoint, chosen by round_robin\n")
    const denied = await look("explain", `tcp://:${plain}`, "--client", "192.0.2.9")
    expect(denied).toContain(`TCP port ${plain} is closed at once\n`)
    expect(denied).toContain("192.0.2.9 is not let in, 192.0.2.0/24 is denied\n")
  })

  test("goes by the server name, and says what is wrong and what to do", async () => {
    expect(await look("explain", `tcp://eu.test:${named}`)).toContain("eu.test (the name itself)")
    const said = await look("explain", `tcp://localhost:${named}`, "--sni", "a.shop.test")
    expect(said).toContain(`TCP port ${named}, server name a.shop.test, is closed at once`)
    expect(said).toContain("*.shop.test (a wildcard for its first label)")
    expect(said).toContain("stream-without-endpoint of ConfigMap shop/tcp")
    expect(said).toContain("  to do: ")
    expect(await look("explain", `tcp://none.test:${named}`)).toContain(
      "the client asks for no server name that is served",
    )
  })

  test("as JSON, and of what is no port", async () => {
    const json = JSON.parse(await look("explain", `udp://:${plain}`, "--json"))
    expect(json).toMatchObject({
      request: { protocol: "udp", port: plain },
      outcome: { kind: "closed", because: "nothing is known of the port" },
    })
    const { failure } = await runSubCommand("explain", "tcp://shop.test", "--runtime-dir", wick.runtimeDir)
    expect(failure).toContain('Cannot read "tcp://shop.test": write tcp://HOST:PORT')
  })
})

test("attempts of sessions are counted at their endpoint", async () => {
  await until("a row", async () => {
    const said = await look("backends", "tcp:shop/db:80")
    return new RegExp(`^  ${target.address} +[1-9]`, "m").test(said)
  })
})

test("wick top ports has a row for each port that somebody came to", async () => {
  const said = await look("top", "ports", "--once", "--interval", "0.2")
  expect(said).toMatch(/^PORT +SESS\/S\*/m)
  expect(said).toMatch(new RegExp(`^tcp:${plain} `, "m"))
  expect(said).not.toContain(`tcp:${empty}`)
})

test("the page has the same as JSON", async () => {
  const socketPath = join(wick.runtimeDir, "control/ui.sock")
  const api = async (path: string) => (await ask({ socketPath }, { path: `/api/${path}` })).json()
  expect(await api("overview")).toMatchObject({ counts: { ports: 3 } })
  expect(await api(`explain?url=${encodeURIComponent(`tcp://:${empty}`)}`)).toMatchObject({
    outcome: "closed",
    headline: `TCP port ${empty} is closed at once`,
  })
  expect(await api(`ports?q=${plain}`)).toMatchObject({
    total: 1,
    items: [{ protocol: "tcp", port: plain, served: [{ service: "shop/db:80", endpoints: 1 }] }],
  })
})

test("sessions are logged in the operator's format, where the ConfigMap says", async () => {
  await until("a line of the session", () => readFileSync(log, "utf8").includes(`TCP ${plain} to db: 200`))
})
