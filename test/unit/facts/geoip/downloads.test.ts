import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterEach, beforeEach, expect, test } from "vitest"
import { Downloads, type DownloadsOptions } from "../../../../controller/facts/geoip/downloads.ts"
import { Failure } from "../../../../controller/support/failure.ts"
import { keptMs } from "../../../../harness/http.ts"
import { freePorts } from "../../../../harness/ports.ts"
import { until } from "../../../../harness/until.ts"
import { tarOf } from "../../../support/tar.ts"

let server: Server
let answer: RequestListener
let asked: string[]
let stored: Map<string, string>
let stop: AbortController
beforeEach(async () => {
  asked = []
  stored = new Map()
  stop = new AbortController()
  answer = (_, response) => response.end(archive("GeoLite2-City.mmdb", "a city"))
  server = createServer({ keepAliveTimeout: keptMs }, (request, response) => {
    asked.push(request.url ?? "")
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterEach(() => {
  stop.abort()
  server.closeAllConnections()
  server.close()
})

const archive = (name: string, text: string) =>
  gzipSync(tarOf({ "GeoLite2_20261126/COPYRIGHT.txt": "x".repeat(700), [`GeoLite2_20261126/${name}`]: text }))
const mirror = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`

function start(options: Partial<DownloadsOptions> = {}): Downloads {
  return Downloads.start({
    editions: ["GeoLite2-City"],
    licenseKey: "",
    mirror: mirror(),
    attempts: 1,
    retryMs: 0,
    ageMs: async () => Number.POSITIVE_INFINITY,
    store: async (edition, bytes) => {
      const parts: Uint8Array[] = []
      for await (const part of bytes) parts.push(part)
      stored.set(edition, Buffer.concat(parts).toString())
      return undefined
    },
    changed() {},
    signal: stop.signal,
    ...options,
  })
}

async function problemOf(downloads: Downloads): Promise<string> {
  await until("a Problem", () => downloads.problems().length > 0)
  const [problem] = downloads.problems()
  expect(problem?.code).toBe("geoip-download-failed")
  return problem?.message.replace(/^Cannot download the GeoIP database \S+: (.*); it is tried.*$/, "$1") ?? ""
}

test("a database comes out of the mirror's archive", async () => {
  start()
  await until("it", () => stored.get("GeoLite2-City") === "a city")
  expect(asked).toEqual(["/mirror/GeoLite2-City.tar.gz"])
})

test("nobody is asked without key and mirror, or for what is fresh", async () => {
  start({ mirror: "" })
  const fresh = start({ ageMs: async () => 3_600_000, editions: ["GeoLite2-City"] })
  start({ editions: ["GeoLite2-City"], ageMs: async () => 25 * 3_600_000 })
  await until("the old one", () => stored.has("GeoLite2-City"))
  expect(asked).toHaveLength(1)
  expect(fresh.problems()).toEqual([])
})

test.each([
  [
    "an error",
    (): RequestListener => (_, response) => response.writeHead(401).end(),
    "the server answers with status 401",
  ],
  [
    "no gzip",
    (): RequestListener => (_, response) => response.end("hello"),
    "what the server sends is no archive of gzip",
  ],
  [
    "no tar",
    (): RequestListener => (_, response) => response.end(gzipSync("x".repeat(2000))),
    "it is no archive of tar",
  ],
  [
    "another file",
    (): RequestListener => (_, response) => response.end(archive("other.mmdb", "x")),
    "the archive has no file GeoLite2-City.mmdb",
  ],
  [
    "half of it",
    (): RequestListener => (_, response) =>
      response.end(gzipSync(tarOf({ "GeoLite2-City.mmdb": "x".repeat(5000) }).subarray(0, 2000))),
    "the archive ends too early",
  ],
])("%s is a Problem", async (_, listener, reason) => {
  answer = listener()
  expect(await problemOf(start())).toBe(reason)
  expect(stored.size).toBe(0)
})

test("what cannot be used or written is a Problem", async () => {
  const damaged = start({ store: async () => "it is no database" })
  expect(await problemOf(damaged)).toBe("GeoLite2-City.mmdb in the archive cannot be used: it is no database")
  const full = start({
    store: () => Promise.reject(new Failure("cannot-write", 'Cannot write "/geo": ENOSPC')),
  })
  expect(await problemOf(full)).toBe('Cannot write "/geo": ENOSPC')
})

test("refused connections are tried again", async () => {
  const [port = 0] = await freePorts(1)
  const here = `http://127.0.0.1:${port}`
  const downloads = start({ mirror: here, attempts: 1000, retryMs: 1 })
  const late = createServer({ keepAliveTimeout: keptMs }, (_, response) =>
    response.end(archive("GeoLite2-City.mmdb", "late")),
  )
  await new Promise<void>((resolve) => late.listen(port, "127.0.0.1", resolve))
  await until("it", () => stored.get("GeoLite2-City") === "late")
  expect(downloads.problems()).toEqual([])
  late.closeAllConnections()
  late.close()
})
