import { subscribe, unsubscribe } from "node:diagnostics_channel"
// Both sides are servers of Node here: what is sent to them, and what becomes of their answers.
import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { replay } from "../../../../cli/diff/asking/replay.ts"
import { type SendOptions, send } from "../../../../cli/diff/asking/send.ts"
import { noCredentials, parseNetrc } from "../../../../cli/diff/netrc.ts"
import type { DiffRequest } from "../../../../cli/diff/requests/request.ts"
import type { Side } from "../../../../cli/diff/sides.ts"
import { keptMs } from "../../../../harness/http.ts"
import { type Authority, type Identity, rootAuthority } from "../../../../harness/pki.ts"
import { patienceMs, until } from "../../../../harness/until.ts"
import { tookAtLeast } from "../../../support/clock.ts"

let authority: Authority
let identity: Identity
beforeAll(async () => {
  authority = await rootAuthority()
  identity = await authority.issue({ cn: "a.test", names: ["a.test"] })
})

const open: { close: () => unknown; closeAllConnections?: () => void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections?.()
    server.close()
  }
})

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  open.push(server)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}

async function plain(listener: RequestListener): Promise<Side> {
  return {
    http: { host: "127.0.0.1", port: await listening(createServer({ keepAliveTimeout: keptMs }, listener)) },
  }
}

async function secure(listener: RequestListener, who = identity): Promise<Side> {
  const server = createTlsServer({ key: who.keyPem, cert: who.chainPem, keepAliveTimeout: keptMs }, listener)
  return { https: { host: "127.0.0.1", port: await listening(server) } }
}

const request: DiffRequest = {
  scheme: "http",
  host: "a.test",
  target: "/a%20b?c",
  method: "GET",
  headers: {},
  about: "",
}
const options: SendOptions = {
  timeoutMs: patienceMs,
  maxBodyBytes: 10,
  isInsecure: false,
  authorities: [],
  credentials: noCredentials,
}
const fast = { ...options, perSecond: 1000, maxAtOnce: 4 }
const never = new AbortController().signal

/** Takes the clock over: while somebody waits for an answer, it moves only for who is late, when all others have had theirs. */
function lateness(): (ms: number) => Promise<void> {
  vi.useFakeTimers({ toFake: ["performance"] })
  let waiting = 0
  const begun = () => {
    waiting += 1
  }
  const over = () => {
    waiting -= 1
  }
  subscribe("http.client.request.start", begun)
  subscribe("http.client.response.finish", over)
  const between = setInterval(() => waiting === 0 && vi.advanceTimersByTime(1), 1)
  onTestFinished(() => {
    clearInterval(between)
    unsubscribe("http.client.request.start", begun)
    unsubscribe("http.client.response.finish", over)
    vi.useRealTimers()
  })
  return async (ms) => {
    await until("the answers of the others", () => waiting === 1)
    vi.advanceTimersByTime(ms)
  }
}

async function compared(old: Side, now: Side, ...requests: readonly DiffRequest[]) {
  return (await replay(requests, [old, now], fast, never)).map(({ outcome }) => outcome)
}

describe("a request", () => {
  test("goes to the address as it is written, with the host's name", async () => {
    const seen: IncomingMessage[] = []
    const { http } = await plain((asked, response) => {
      seen.push(asked)
      response.end()
    })
    if (http === undefined) throw new Error("It listens")
    const credentials = parseNetrc("machine a.test login ann password secret")
    await send({ ...request, headers: { "x-a": "1" } }, http, { ...options, credentials })
    await send({ ...request, hasCredentials: true }, http, { ...options, credentials })
    expect(seen.map(({ url, method, headers: { host } }) => ({ url, method, host }))).toEqual([
      { url: "/a%20b?c", method: "GET", host: "a.test" },
      { url: "/a%20b?c", method: "GET", host: "a.test" },
    ])
    expect(seen.map(({ headers }) => [headers["x-a"], headers.authorization])).toEqual([
      ["1", undefined],
      [undefined, `Basic ${Buffer.from("ann:secret").toString("base64")}`],
    ])
  })

  test("reads no more of a body than it is told", async () => {
    const { http } = await plain((_, response) => response.end("x".repeat(100_000)))
    const answer = await send(request, http ?? { host: "", port: 0 }, options)
    expect(answer).toMatchObject({ kind: "received", body: { bytes: 10, isCut: true } })
  })

  const silences: readonly (readonly [why: string, listener: RequestListener])[] = [
    ["slow", () => {}],
    ["reset", ({ socket }) => void socket.destroy()],
    ["unreadable", ({ socket }) => void socket.end("nonsense\r\n\r\n")],
  ]
  test.each(silences)("without an answer: %s", async (why, listener) => {
    const { http } = await plain(listener)
    const answer = await send(request, http ?? { host: "", port: 0 }, {
      ...options,
      timeoutMs: why === "slow" ? 300 : patienceMs,
    })
    expect(answer).toEqual({ kind: "failed", why })
  })

  test("certificates are trusted by their authority and for the host's name only, unless that is not wanted", async () => {
    const side = await secure((_, response) => void response.end("a"))
    const of = (host: string) => ({ ...request, host, scheme: "https" as const })
    const trusting = { ...options, authorities: [authority.pem] }
    const address = side.https ?? { host: "", port: 0 }
    expect(await send(of("a.test"), address, options)).toEqual({ kind: "failed", why: "untrusted" })
    expect(await send(of("a.test"), address, trusting)).toMatchObject({ status: 200 })
    expect(await send(of("b.test"), address, trusting)).toEqual({ kind: "failed", why: "untrusted" })
    expect(await send(of("b.test"), address, { ...options, isInsecure: true })).toMatchObject({ status: 200 })
  })

  test("what speaks no TLS is no handshake", async () => {
    const port = await listening(createTcpServer((socket) => socket.end("nonsense")))
    const answer = await send({ ...request, scheme: "https" }, { host: "127.0.0.1", port }, options)
    expect(answer).toMatchObject({ kind: "failed", why: "handshake" })
  })
})

describe("both sides", () => {
  const saying = (text: string, status = 200) =>
    plain((_, response) => {
      response.statusCode = status
      response.end(text)
    })

  test("that answer alike are asked once", async () => {
    let asked = 0
    const side = await plain((_, response) => {
      asked += 1
      response.end()
    })
    expect(await compared(side, side, request)).toEqual([{ differences: [], unstable: [], isRefused: false }])
    expect(asked).toBe(2)
  })

  test("that differ are asked once more", async () => {
    const [outcome] = await compared(await saying("a"), await saying("b"), request)
    expect(outcome?.differences.map(({ aspect }) => aspect)).toEqual(["body"])
  })

  test("a side that does not answer the same twice tells nothing", async () => {
    let asked = 0
    const unstable = await plain((_, response) => {
      asked += 1
      response.setHeader("x-a", "1")
      response.end(String(asked))
    })
    const [outcome] = await compared(await saying("a"), unstable, request)
    expect(outcome).toEqual({
      differences: [{ aspect: "header x-a", was: "absent", now: "1" }],
      unstable: ["body"],
      isRefused: false,
    })
  })

  test("a limit of what stands behind both is no difference", async () => {
    let left = 1
    const limited = await plain((_, response) => {
      response.statusCode = left > 0 ? 200 : 503
      left -= 1
      response.end()
      if (left < 0) left = 1
    })
    const [outcome] = await compared(limited, limited, request)
    expect(outcome).toMatchObject({ differences: [], unstable: ["status"] })
  })

  test("nor is it where the new side was the first to get there", async () => {
    const told = [503, 200, 200, 503]
    let asked = 0
    const limited = await plain((_, response) => {
      response.statusCode = told[asked] ?? (asked % 2 === 0 ? 200 : 503)
      asked += 1
      response.end()
    })
    const [outcome] = await compared(limited, limited, request)
    expect(outcome).toMatchObject({ differences: [], unstable: ["status"] })
  })

  test("nor where a limit let the old side come just in time, twice", async () => {
    const told = [200, 503, 503, 200, 200, 503, 200, 503]
    let asked = 0
    const limited = await plain((_, response) => {
      response.statusCode = told[asked] ?? 500
      asked += 1
      response.end()
    })
    const [outcome] = await tookAtLeast(1000, () => compared(limited, limited, request))
    expect(outcome).toMatchObject({ differences: [], unstable: ["status"] })
    expect(asked).toBe(told.length)
  })

  test("one that is always refused so is another one", async () => {
    const [outcome] = await compared(await saying("a"), await saying("a", 503), request)
    expect(outcome?.differences).toEqual([{ aspect: "status", was: "200", now: "503" }])
  })

  test("nothing tells anything where not even the status stays", async () => {
    let asked = 0
    const unstable = await plain((_, response) => {
      asked += 1
      response.statusCode = asked % 2 === 1 ? 200 : 503
      response.end("b")
    })
    const [outcome] = await compared(await saying("a"), unstable, request)
    expect(outcome).toEqual({ differences: [], unstable: ["status"], isRefused: false })
  })

  test("what was served and is refused now", async () => {
    const refusing = await saying("no", 403)
    expect((await compared(await saying("a"), refusing, request))[0]?.isRefused).toBe(true)
    expect((await compared(refusing, await saying("a"), request))[0]?.isRefused).toBe(false)
    expect((await compared(await saying("no", 404), refusing, request))[0]?.isRefused).toBe(false)
  })

  test("nobody answers", async () => {
    const nobody = { http: { host: "127.0.0.1", port: 1 } }
    const [outcome] = await compared(nobody, nobody, request)
    expect(outcome).toEqual({
      differences: [],
      unstable: [],
      unanswered: "connection refused",
      isRefused: false,
    })
    expect((await compared(await saying("a"), nobody, request))[0]?.isRefused).toBe(true)
  })

  test("a side that is always far slower", async () => {
    const late = lateness()
    const slow = await plain((_, response) => void late(350).then(() => response.end("a")))
    const [outcome] = await compared(await saying("a"), slow, request)
    expect(outcome?.differences).toMatchObject([{ aspect: "time", now: "100 ms and more" }])
  })

  test("a side that was slow once is not slower", async () => {
    const late = lateness()
    let asked = 0
    const once = await plain((_, response) => {
      asked += 1
      late(asked === 1 ? 350 : 0).then(() => response.end("a"))
    })
    expect((await compared(await saying("a"), once, request))[0]?.differences).toEqual([])
  })

  test("certificates are compared, whether they are trusted or not", async () => {
    const other = await authority.issue({ cn: "b.test", names: ["a.test", "b.test"] })
    const [old, now] = [await secure(() => {}), await secure(() => {}, other)]
    const results = await replay([{ ...request, scheme: "https" }], [old, now], fast, never)
    const handshake = results.find(({ isHandshake }) => isHandshake)
    expect(handshake?.outcome.differences.map(({ aspect }) => aspect)).toEqual(["certificate", "names"])
    expect(results.find(({ isHandshake }) => !isHandshake)?.outcome.unanswered).toBe(
      "certificate not trusted",
    )
  })

  test("what a server shows that has no certificate, or speaks no TLS, is no handshake", async () => {
    const anonymous = createTlsServer({ ciphers: "aNULL:@SECLEVEL=0", maxVersion: "TLSv1.2" }, () => {})
    const silent = createTcpServer((socket) => socket.end())
    for (const server of [anonymous, silent]) {
      const side = { https: { host: "127.0.0.1", port: await listening(server) } }
      const [handshake] = await replay([{ ...request, scheme: "https" }], [side, side], fast, never)
      expect(handshake?.outcome.unanswered).toMatch(/TLS handshake failed|without an answer/)
    }
  })

  test("are asked at the wanted rate", async () => {
    const side = await saying("a")
    const requests = Array.from({ length: 6 }, (_, at) => ({ ...request, target: `/${at}` }))
    await tookAtLeast(200, () => replay(requests, [side, side], { ...fast, perSecond: 20 }, never))
  })

  test("what there is when it is interrupted", async () => {
    const interrupt = new AbortController()
    let asked = 0
    const side = await plain((_, response) => {
      asked += 1
      if (asked > 4) interrupt.abort()
      else response.end("a")
    })
    const requests = Array.from({ length: 100 }, (_, at) => ({ ...request, target: `/${at}` }))
    const results = await replay(requests, [side, side], { ...fast, maxAtOnce: 1 }, interrupt.signal)
    expect(results).toHaveLength(2)
  })
})
