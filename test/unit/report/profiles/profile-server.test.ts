import { EventEmitter, once } from "node:events"
import { get as httpGet, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { startProfileServer } from "../../../../controller/report/profiles/profile-server.ts"
import { closeNow } from "../../../../controller/support/close-now.ts"
import { loopbackGate } from "../../../../ui/gate.ts"

const errors: unknown[] = []
const begun = new EventEmitter()
const log = { info: () => begun.emit("profile"), error: (fields: unknown) => errors.push(fields) }
const refuse = (request: Parameters<typeof loopbackGate.check>[0]) => loopbackGate.check(request, "/api/")

let server: Server
let port: number
beforeEach(async () => {
  errors.length = 0
  server = await startProfileServer({ address: "127.0.0.1", port: 0, refuse, log })
  port = (server.address() as AddressInfo).port
})
afterEach(() => closeNow(server))

const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}/debug/pprof${path}`, init)
const said = async (path: string, init?: RequestInit) => {
  const response = await ask(path, init)
  return [response.status, await response.text()] as const
}

const text = JSON.stringify(Array.from({ length: 10_000 }, (_, number) => ({ number })))

/** Somewhere for the time to go. */
function thisIsWhereTheTimeGoes(): number {
  let length = 0
  for (let round = 0; round < 10; round++) length += JSON.parse(text).length
  return length
}

test("the list says of each profile what it is, and that a snapshot holds keys", async () => {
  const [status, list] = await said("/")
  expect(status).toBe(200)
  for (const path of ["profile?seconds=30", "allocs?seconds=30", "heap\n"])
    expect(list).toContain(`/debug/pprof/${path}`)
  expect(list).toContain("PRIVATE KEYS")
  expect((await said(""))[0]).toBe(200)
})

test("a CPU profile has the functions that ran meanwhile", async () => {
  const working = setInterval(() => thisIsWhereTheTimeGoes(), 1)
  try {
    const response = await ask("/profile?seconds=1")
    expect(response.headers.get("content-disposition")).toMatch(/filename="wick-.*\.cpuprofile"/)
    const { nodes, samples } = (await response.json()) as {
      nodes: { callFrame: { functionName: string } }[]
      samples: number[]
    }
    expect(samples.length).toBeGreaterThan(10)
    expect(nodes.map(({ callFrame }) => callFrame.functionName)).toContain("thisIsWhereTheTimeGoes")
  } finally {
    clearInterval(working)
  }
})

test("a profile of memory has samples of what was allocated meanwhile", async () => {
  const kept: string[][] = []
  const working = setInterval(() => kept.push(Array.from({ length: 10_000 }, (_, i) => `text ${i}`)), 5)
  try {
    const response = await ask("/allocs?seconds=1")
    expect(response.headers.get("content-disposition")).toMatch(/\.heapprofile"/)
    expect(await response.json()).toMatchObject({ head: { callFrame: { functionName: "(root)" } } })
  } finally {
    clearInterval(working)
  }
})

test("a snapshot is V8's, of everything", async () => {
  const response = await ask("/heap")
  expect(response.headers.get("content-disposition")).toMatch(/\.heapsnapshot"/)
  const body = await response.text()
  expect(body).toMatch(/^\{"snapshot":\{"meta":/)
  expect(body.trimEnd().endsWith("}")).toBe(true)
})

test("one is taken at a time, and the next when the client of the one before has gone", async () => {
  const leaving = new AbortController()
  const first = ask("/profile?seconds=300", { signal: leaving.signal })
  await once(begun, "profile")
  expect((await said("/profile?seconds=1"))[0]).toBe(409)
  expect((await said("/heap"))[0]).toBe(409)
  leaving.abort()
  await expect(first).rejects.toThrow("aborted")
  await expect.poll(async () => (await said("/profile?seconds=1"))[0]).toBe(200)
  expect(errors).toEqual([])
})

describe("what is refused", () => {
  test.each([
    ["/profile?seconds=0", 400],
    ["/profile?seconds=301", 400],
    ["/profile?seconds=1.5", 400],
    ["/allocs?seconds=", 400],
    ["/heap?seconds=3", 400],
    ["/goroutine", 404],
    ["/profile/", 404],
  ])("%s: %i, with a sentence", async (path, status) => {
    const answer = await said(path)
    expect(answer[0]).toBe(status)
    expect(answer[1]).not.toBe("")
  })

  test("everything but GET", async () => {
    expect((await said("/profile?seconds=1", { method: "POST" }))[0]).toBe(405)
  })

  test("a page of elsewhere in a browser on this machine", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
    expect((await said("/heap", { headers }))[0]).toBe(403)
    const request = httpGet({ port, path: "/debug/pprof/heap", headers: { host: `evil.test:${port}` } })
    const [response] = await once(request, "response")
    response.resume()
    expect(response.statusCode).toBe(421)
  })
})

test("a port that somebody has is said with its flag", async () => {
  await expect(startProfileServer({ address: "127.0.0.1", port, refuse, log })).rejects.toThrow(
    `Cannot serve profiles on 127.0.0.1 port ${port}: it is in use, choose another with --profiler-port`,
  )
})
