import { getEventListeners } from "node:events"
import type { RequestListener } from "node:http"
import { inspect } from "node:util"
import { describe, expect, test, vi } from "vitest"
import { ApiFailure } from "../../../../../controller/input/cluster/api.ts"
import { Client, type Limits } from "../../../../../controller/input/cluster/connect/client.ts"
import type { Access, Credentials } from "../../../../../controller/input/cluster/connect/credentials.ts"
import { patienceMs, until } from "../../../../../harness/until.ts"
import { ApiDouble } from "../../../../support/api-double.ts"
import { letPass } from "../../../../support/clock.ts"

const never = new AbortController().signal
const list = { method: "GET", path: "/api/v1/services" } as const
const watch = { ...list, query: { watch: "true" } } as const

/** Lets everybody in with what `token` says, and counts how often that was refused. */
class Door implements Access {
  readonly server: URL
  readonly origin = "the test"
  refused = 0
  tokens: readonly string[] = ["first"]

  constructor(server: URL) {
    this.server = server
  }

  async credentials(): Promise<Credentials> {
    const token = this.tokens[Math.min(this.refused, this.tokens.length - 1)]
    return { headers: { authorization: `Bearer ${token}` }, tls: {}, reading: this.refused }
  }

  forget({ reading }: Credentials): void {
    if (reading === this.refused) this.refused += 1
  }
}

interface Talk extends AsyncDisposable {
  readonly server: ApiDouble
  readonly door: Door
  readonly client: Client
}

async function talk(answer: RequestListener, limits?: Partial<Limits>): Promise<Talk> {
  const server = await ApiDouble.start(answer)
  const door = new Door(server.url)
  const all = { answerMs: patienceMs, watchMs: patienceMs, ...limits }
  const client = new Client({ access: door, userAgent: "wick/test", limits: all })
  const dispose = async () => {
    client.close()
    await server[Symbol.asyncDispose]()
  }
  return { server, door, client, [Symbol.asyncDispose]: dispose }
}

async function failure(promise: Promise<unknown>): Promise<ApiFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiFailure) return error
  throw new Error(`No ApiFailure, but ${error}`)
}

describe("a question with one answer", () => {
  test("is asked as the API has it, and its answer is a value", async () => {
    await using at = await talk((request, response) => {
      const body: Buffer[] = []
      request.on("data", (piece: Buffer) => body.push(piece))
      request.on("end", () => {
        const { method, url, headers } = request
        response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(body).toString() }))
      })
    })
    const path = "/api/v1/namespaces/shop/events/a%2Fb"
    const contentType = "application/merge-patch+json"
    const query = { fieldManager: "wick" }
    const seen = await at.client.send(
      { method: "PATCH", path, query, contentType, body: { note: "ü" } },
      never,
    )
    expect(seen).toMatchObject({
      method: "PATCH",
      url: "/api/v1/namespaces/shop/events/a%2Fb?fieldManager=wick",
      headers: {
        accept: "application/json",
        "content-type": "application/merge-patch+json",
        authorization: "Bearer first",
        "user-agent": "wick/test",
      },
      body: '{"note":"ü"}',
    })
  })

  test("goes over a connection that is there already, and over a few at most", async () => {
    await using at = await talk((_, response) => void response.end("{}"))
    for (let count = 0; count < 20; count += 1) await at.client.send(list, never)
    expect(at.server.sockets.length).toBe(1)
    await Promise.all(Array.from({ length: 100 }, () => at.client.send(list, never)))
    expect(at.server.sockets.length).toBeLessThanOrEqual(8)
  })

  test("that is refused says what the server says", async () => {
    const status = {
      kind: "Status",
      message: "services is forbidden: no rights",
      reason: "Forbidden",
      code: 403,
      details: { retryAfterSeconds: 3 },
    }
    await using at = await talk((_, response) => void response.writeHead(403).end(JSON.stringify(status)))
    const refused = await failure(at.client.send(list, never))
    expect(refused).toMatchObject({ status: 403, reason: "Forbidden", retryAfterMs: 3000 })
    expect(refused.message).toBe(
      "Cannot read /api/v1/services of the API server: it answers 403: services is forbidden: no rights",
    )
  })

  test("that comes at a bad time says when to come again", async () => {
    await using at = await talk((_, response) => {
      response.writeHead(429, { "retry-after": "7" }).end("Too many\n")
    })
    expect(await failure(at.client.send(list, never))).toMatchObject({
      status: 429,
      reason: "",
      retryAfterMs: 7000,
      message: 'Cannot read /api/v1/services of the API server: it answers 429: "Too many\\n"',
    })
  })

  test("whose answer is no JSON fails without repeating it", async () => {
    await using at = await talk((_, response) => void response.end("{secret"))
    const garbled = await failure(at.client.send(list, never))
    expect(garbled.message).toBe("Cannot read /api/v1/services of the API server: its answer is no JSON")
    expect(garbled.status).toBe(0)
    expect(inspect(garbled)).not.toContain("secret")
  })

  test("whose answer is cut fails", async () => {
    await using at = await talk((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("{}")
      response.destroy()
    })
    const cut = await failure(at.client.send(list, never))
    expect(cut).toMatchObject({ status: 0 })
    expect(cut.message).toContain("the connection breaks")
  })

  test.each<[string, RequestListener]>([
    ["does not begin", () => {}],
    ["does not go on", (_, response) => void response.write("{")],
    ["refuses without an end", (_, response) => void response.writeHead(500).write("{")],
  ])("is given up when its answer %s", async (_, answer) => {
    await using at = await talk(answer, { answerMs: 50 })
    const silent = await failure(at.client.send(list, never))
    expect(silent.message).toBe("Cannot read /api/v1/services of the API server: it does not answer")
    await until("the connection to be closed", () => at.server.open === 0)
  })

  test("ends with its signal, during the answer and before the question", async () => {
    await using at = await talk((_, response) => void response.write("{"))
    const stop = new AbortController()
    const asked = failure(at.client.send(list, stop.signal))
    await until("the request to arrive", () => at.server.requests === 1)
    stop.abort()
    expect((await asked).message).toContain("given up")
    expect((await failure(at.client.send(list, stop.signal))).message).toContain("given up")
    await until("the connection to be closed", () => at.server.open === 0)
    expect(at.server.requests).toBe(1)
  })

  test("that nobody hears names the address", async () => {
    const at = await talk(() => {})
    const { host } = at.door.server
    await at[Symbol.asyncDispose]()
    const unheard = await failure(at.client.send(list, never))
    expect(unheard).toMatchObject({ status: 0 })
    expect(unheard.message).toContain(`connect ECONNREFUSED ${host}`)
  })

  test("leaves nothing behind, however it ends", async () => {
    await using at = await talk((request, response) => {
      if (request.url?.endsWith("watch=true")) response.write('{"a":1}\n')
      else response.end("{}")
    })
    const stop = new AbortController()
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      await at.client.send(list, stop.signal)
      for await (const _ of at.client.watch(watch, stop.signal)) break
      at.door.credentials = () => Promise.reject(new Error("none"))
      await failure(at.client.send(list, stop.signal))
      expect(vi.getTimerCount()).toBe(0)
      expect(getEventListeners(stop.signal, "abort")).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test("waits for credentials no longer than for an answer", async () => {
    await using at = await talk((_, response) => void response.end("{}"), { answerMs: 50 })
    at.door.credentials = () => new Promise(() => {})
    expect((await failure(at.client.send(list, never))).message).toContain("it does not answer")
  })
})

describe("credentials that are refused", () => {
  const onlyWith = (token: string): RequestListener => {
    return (request, response) => {
      const isIn = request.headers.authorization === `Bearer ${token}`
      response.writeHead(isIn ? 200 : 401).end(isIn ? "{}" : '{"kind":"Status","reason":"Unauthorized"}')
    }
  }

  test("are asked for once more, and taken", async () => {
    await using at = await talk(onlyWith("second"))
    at.door.tokens = ["first", "second"]
    expect(await at.client.send(list, never)).toEqual({})
    expect(at.door.refused).toBe(1)
  })

  test("fail when they are no better then, and are never repeated", async () => {
    await using at = await talk(onlyWith("third"))
    at.door.tokens = ["first", "second", "third"]
    const refused = await failure(at.client.send(list, never))
    expect(refused).toMatchObject({ status: 401, reason: "Unauthorized" })
    expect(`${refused.message} ${refused.cause}`).not.toContain("second")
    expect(at.server.requests).toBe(2)
  })

  test("are renewed once for all who had them", async () => {
    await using at = await talk(onlyWith("second"))
    at.door.tokens = ["first", "second", "third"]
    await Promise.all(Array.from({ length: 8 }, () => at.client.send(list, never)))
    expect(at.door.refused).toBe(1)
  })
})

describe("a watch", () => {
  test("gives the values of each piece together, whatever characters it cuts", async () => {
    const pieces = split(Buffer.from('{"a":"é"}\n{"a":2}\n\n{"b":"🦊"}\n'), 7, 8, 23, 33, 34, 35)
    await using at = await talk(async (_, response) => {
      for (const piece of pieces) {
        response.write(piece)
        await new Promise(setImmediate)
      }
      response.end()
    })
    expect(await all(at.client.watch(watch, never))).toEqual([{ a: "é" }, { a: 2 }, { b: "🦊" }])
  })

  test("says that it is accepted before anything comes", async () => {
    await using at = await talk((_, response) => response.flushHeaders())
    const stop = new AbortController()
    const groups = at.client.watch(watch, stop.signal)
    expect(await groups.next()).toEqual({ done: false, value: [] })
    const second = groups.next()
    stop.abort()
    await expect(second).rejects.toThrow("given up")
  })

  test("takes lines of some MiB", async () => {
    const large = { data: "ü".repeat(3 * 2 ** 20) }
    await using at = await talk((_, response) => void response.end(`${JSON.stringify(large)}\n`))
    expect(await all(at.client.watch(watch, never))).toEqual([large])
  })

  test("that is cut between two lines gives what came, then fails", async () => {
    await using at = await talk((_, response) => {
      response.write('{"a":1}\n', () => response.destroy())
    })
    const { taken, error } = await untilFailure(at.client.watch(watch, never))
    expect(taken).toEqual([{ a: 1 }])
    expect(error).toMatchObject({ status: 0 })
    expect(error.message).toBe("Cannot watch /api/v1/services of the API server: the connection breaks")
  })

  test("that ends in the middle of a line fails, although what is there is JSON", async () => {
    await using at = await talk((_, response) => void response.end('{"a":1}\n{"a":2}'))
    const { taken, error } = await untilFailure(at.client.watch(watch, never))
    expect(taken).toEqual([{ a: 1 }])
    expect(error.message).toContain("its answer ends in the middle of a line")
  })

  test("that brings no JSON fails", async () => {
    await using at = await talk((_, response) => void response.end("upstream error\n"))
    const { taken, error } = await untilFailure(at.client.watch(watch, never))
    expect(taken).toEqual([])
    expect(error.message).toContain("its answer is no JSON")
  })

  test("that is refused fails", async () => {
    const gone = { kind: "Status", reason: "Expired", message: "too old resource version" }
    await using at = await talk((_, response) => void response.writeHead(410).end(JSON.stringify(gone)))
    const { error } = await untilFailure(at.client.watch(watch, never))
    expect(error).toMatchObject({ status: 410, reason: "Expired" })
  })

  test("in which nothing comes for too long fails", async () => {
    await using at = await talk((_, response) => void response.write('{"a":1}\n'), { watchMs: 3000 })
    const { taken, error } = await untilFailure(at.client.watch(watch, never))
    expect(taken).toEqual([{ a: 1 }])
    expect(error.message).toContain("it does not answer")
    await until("the connection to be closed", () => at.server.open === 0)
  })

  test("waits for whoever takes its values", async () => {
    await using at = await talk((_, response) => void response.end('{"a":1}\n'), { watchMs: 2000 })
    const taken: unknown[] = []
    for await (const group of at.client.watch(watch, never)) {
      await letPass(2500, "it waits for who takes the first value longer than for one that does not come")
      taken.push(...group)
    }
    expect(taken).toEqual([{ a: 1 }])
  })

  test("ends at once with its signal, and with whoever stops listening", async () => {
    await using at = await talk((_, response) => void response.write('{"a":1}\n'))
    const stop = new AbortController()
    const stopped = untilFailure(at.client.watch(watch, stop.signal))
    await until("the request to arrive", () => at.server.requests === 1)
    stop.abort()
    expect((await stopped).error.message).toContain("given up")
    for await (const _ of at.client.watch(watch, never)) break
    await until("the connections to be closed", () => at.server.open === 0)
  })

  test("keeps nobody else from being answered", async () => {
    await using at = await talk((request, response) => {
      if (request.url?.includes("watch")) response.write('{"a":1}\n')
      else response.end("{}")
    })
    const stop = new AbortController()
    const watches = Array.from({ length: 20 }, () => untilFailure(at.client.watch(watch, stop.signal)))
    await until("the watches to begin", () => at.server.requests === 20)
    expect(await at.client.send(list, never)).toEqual({})
    stop.abort()
    await Promise.all(watches)
  })
})

function split(bytes: Buffer, ...at: readonly number[]): Buffer[] {
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index]))
}

async function untilFailure(values: AsyncIterable<readonly unknown[]>) {
  const taken: unknown[] = []
  const error = await failure(collect(values, taken))
  return { taken, error }
}

async function all(values: AsyncIterable<readonly unknown[]>): Promise<unknown[]> {
  const taken: unknown[] = []
  await collect(values, taken)
  return taken
}

async function collect(values: AsyncIterable<readonly unknown[]>, taken: unknown[]): Promise<void> {
  for await (const group of values) taken.push(...group)
}
