import { describe, expect, test } from "vitest"
import { explainStream, type StreamSources } from "../../../controller/inspect/stream-explanation.ts"
import {
  streamFacts,
  streamGets,
  streamHeadline,
} from "../../../controller/inspect/stream-explanation-text.ts"
import { streamQuestionOf } from "../../../controller/inspect/stream-question.ts"
import type { Concerned } from "../../../controller/model/standing-problem.ts"
import type { PostedStream } from "../../../controller/output/control/posted.ts"
import { Failure } from "../../../controller/support/failure.ts"

const wrong = (what: string) => new Failure("usage", what)
const asked = (text: string, more: Parameters<typeof streamQuestionOf>[1] = {}) =>
  streamQuestionOf(text, more, wrong)

const served = (backend: string, more: Partial<PostedStream> = {}): PostedStream => ({
  name: "tcp:5432",
  backend,
  namespace: "shop",
  service_name: "db",
  service_port: "5432",
  ...more,
})

const host = (name: string, backend: string) => ({ host: name, backend })

/** What runs has this one port, two networks, and these backends with an endpoint. */
function sourcesWith(stream: PostedStream | undefined, ...backends: readonly string[]): StreamSources {
  return {
    stream: async (name) => (name === stream?.name ? stream : undefined),
    streamCounters: async () => [],
    backend: async (name) =>
      backends.includes(name)
        ? { name, "load-balance": "round_robin", endpoints: [{ address: "10.0.0.1", port: "5432" }] }
        : name === "empty"
          ? { name, "load-balance": "round_robin", endpoints: [] }
          : undefined,
    addresses: async (id) => ({ lan: ["10.0.0.0/8"], bad: ["10.6.6.0/24"] })[id],
    standing: async () => [],
  }
}

async function gets(text: string, sources: StreamSources, more: { sni?: string; client?: string } = {}) {
  return streamGets(await explainStream(asked(text, more), sources))
}

describe("the question", () => {
  test("has the URL's name as the server name, unless another one is asked for", () => {
    expect(asked("tcp://DB.shop.test.:5432")).toEqual({ protocol: "tcp", port: 5432, sni: "db.shop.test" })
    expect(asked("TCP://db.test:1", { sni: "Other.test" })).toMatchObject({ sni: "other.test" })
    const plain = { protocol: "tcp", port: 5432 }
    expect(asked("tcp://:5432")).toEqual(plain)
    expect(asked("tcp://10.0.0.1:5432")).toEqual({ ...plain, address: "10.0.0.1" })
    expect(asked("tcp://[2001:DB8:0::1]:5432/")).toEqual({ ...plain, address: "2001:db8::1" })
    expect(asked("udp://dns.test:53")).toEqual({ protocol: "udp", port: 53 })
  })

  test.each([
    ["tcp://db.test", 'Cannot read "tcp://db.test": write tcp://HOST:PORT or udp://HOST:PORT'],
    ["tcp://db.test:0", "with a port from 1 to 65535"],
    ["tcp://db.test:70000", "with a port from 1 to 65535"],
    ["tcp://db.test:5432/path", "write tcp://HOST:PORT"],
  ])("that is none is refused: %s", (text, what) => {
    expect(() => asked(text)).toThrow(what)
  })

  test("of UDP has no server name", () => {
    expect(() => asked("udp://:53", { sni: "a.test" })).toThrow("Clients of UDP ask for no server name")
  })
})

describe("the outcome", () => {
  test("a port of which nothing is known", async () => {
    const sources = sourcesWith(undefined)
    expect(await gets("tcp://:5432", sources)).toBe(
      "The connection is closed at once: nothing is known of the port",
    )
    expect(await gets("udp://:53", sources)).toBe("Its datagrams are dropped: nothing is known of the port")
  })

  test("a backend that is there, is empty, or is not in force", async () => {
    expect(await gets("tcp://:5432", sourcesWith(served("db"), "db"))).toBe(
      "The client gets one of 1 endpoint, chosen by round_robin",
    )
    expect(await gets("tcp://:5432", sourcesWith(served("empty")))).toContain("backend empty has no endpoint")
    expect(await gets("tcp://:5432", sourcesWith(served("gone")))).toContain("backend gone is not in force")
  })

  test("an address that has a record of its own, and one that has none", async () => {
    const own = { ...served("db"), name: "tcp:10.0.0.1:5432" }
    const both: StreamSources = {
      ...sourcesWith(served("other"), "db", "other"),
      stream: async (name) => [own, served("other")].find((stream) => stream.name === name),
    }
    const backendAt = async (text: string) => (await explainStream(asked(text), both)).taken?.backend
    expect(await backendAt("tcp://10.0.0.1:5432")).toBe("db")
    expect(await backendAt("tcp://10.0.0.2:5432")).toBe("other")
    expect(await backendAt("tcp://:5432")).toBe("other")
  })

  test.each([
    ["eu.test", "eu"],
    ["a.shop.test", "shop"],
    ["deep.a.shop.test", undefined],
    ["shop.test", undefined],
    [undefined, undefined],
  ])("the name %s leads to %s, others to nobody or to all others'", async (sni, backend) => {
    const names = [host("eu.test", "eu"), host("*.shop.test", "shop")]
    const ofAll = [...names, host("_", "others")]
    const question = asked("tcp://:5432", sni === undefined ? {} : { sni })
    const strict = await explainStream(question, sourcesWith(served("eu", { names }), "eu", "shop"))
    expect(strict.taken?.backend).toBe(backend)
    if (backend === undefined)
      expect(strict.outcome).toEqual({
        kind: "closed",
        because: "the client asks for no server name that is served",
      })
    const open = await explainStream(question, sourcesWith(served("eu", { names: ofAll }), "others"))
    expect(open.taken?.backend).toBe(backend ?? "others")
    expect(open.notTaken.map((one) => one.backend)).toEqual(
      ["eu", "shop", "others"].filter((name) => name !== (backend ?? "others")),
    )
  })

  test("of wildcards for any number of labels the longest fits", async () => {
    const names = [host("**.test", "any"), host("**.shop.test", "shop"), host("*.a.test", "one")]
    const sources = sourcesWith(served("any", { names }), "any", "shop", "one")
    const backendOf = async (sni: string) =>
      (await explainStream(asked(`tcp://${sni}:5432`), sources)).taken?.backend
    expect(await backendOf("deep.in.shop.test")).toBe("shop")
    expect(await backendOf("shop.test")).toBe("any")
    expect(await backendOf("x.a.test")).toBe("one")
    expect(await backendOf("test")).toBeUndefined()
  })

  test("lists decide about a client, and one that is not there closes", async () => {
    const stream = served("db", { allow: "lan", deny: "bad" })
    const sources = sourcesWith(stream, "db")
    expect(await gets("tcp://:5432", sources, { client: "10.1.2.3" })).toMatch(/^The client gets/)
    expect(await gets("tcp://:5432", sources, { client: "10.6.6.6" })).toContain(
      "10.6.6.6 is not let in, 10.6.6.0/24 is denied",
    )
    expect(await gets("tcp://:5432", sources, { client: "192.0.2.1" })).toContain(
      "it is in no allowed network",
    )
    const missing = sourcesWith(served("db", { allow: "lost" }), "db")
    expect(await gets("tcp://:5432", missing)).toContain("address list lost is not in force")
  })
})

test("what is said names all there is, and asks for Problems of the port and its Service", async () => {
  const concerned: Concerned[] = []
  const stream = served("db", {
    source: "edge/tcp",
    allow: "lan",
    accepts_proxy_protocol: true,
    proxy_timeout_ms: 600_000,
    next_upstream: true,
    next_upstream_tries: 3,
  })
  const counters = {
    ...{ protocol: "tcp" as const, port: 5432, sessions: 5, ended: 4, failed: 1, refused: { denied: 2 } },
    ...{ receivedBytes: 1, sentBytes: 2, durationMs: 3, connected: 1, connectMs: 4 },
  }
  const explanation = await explainStream(asked("tcp://:5432", { client: "10.1.2.3" }), {
    ...sourcesWith(stream, "db"),
    streamCounters: async () => [counters],
    standing: async (about) => {
      concerned.push(about)
      return undefined
    },
  })
  expect(concerned).toEqual([{ port: "TCP port 5432", service: "shop/db" }])
  expect(streamHeadline(explanation)).toBe("TCP port 5432 goes to shop/db:5432")
  expect(streamFacts(explanation)).toMatchInlineSnapshot(`
    [
      [
        "asked by",
        "edge/tcp",
      ],
      [
        "access",
        "only for 10.0.0.0/8",
      ],
      [
        "client",
        "10.1.2.3: 10.0.0.0/8 is allowed",
      ],
      [
        "backend",
        "db  round_robin",
      ],
      [
        "",
        "  10.0.0.1:5432",
      ],
      [
        "with",
        "clients send a PROXY header",
      ],
      [
        "",
        "ends after 600 s without data",
      ],
      [
        "",
        "other endpoints are tried when one does not connect, 3 at most",
      ],
      [
        "sessions",
        "5 sessions so far, 1 open, 1 reached no endpoint, 2 refused (denied)",
      ],
      [
        "problems",
        "not known: no controller answers",
      ],
    ]
  `)
})
