import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { Fetcher } from "../../../../controller/facts/fetch/fetcher.ts"
import type { Outcome } from "../../../../controller/facts/names/lookup.ts"
import { freePorts } from "../../../../harness/ports.ts"
import { letPass, tookAtLeast } from "../../../support/clock.ts"
import { Responder } from "../../../support/ocsp.ts"

let responder: Responder
let outcome: Outcome
let asked: string[]
const stop = new AbortController()

beforeEach(async () => {
  asked = []
  outcome = found("127.0.0.1")
  responder = await Responder.start((_, response) => void response.end("hello"))
})
afterEach(() => responder[Symbol.asyncDispose]())

function found(...addresses: readonly string[]): Outcome {
  return { kind: "found", addresses, ttlSeconds: 1, foundAs: "x" }
}

/** where the controller listens itself */
let ownPorts: ReadonlySet<number> = new Set()

function fetcher(allowLoopback = true, signal = stop.signal): Fetcher {
  const lookup = async (name: string) => {
    asked.push(name)
    return outcome
  }
  const endpoints = { allowLoopback, ownPorts, ownAddresses: new Set<string>() }
  return new Fetcher({ dns: { lookup }, hasIpv6: false, endpoints: () => endpoints, signal })
}

const bytes = Buffer.from("question")
const body = { type: "application/ocsp-request", bytes }
const post = async (url = responder.url, from = fetcher()) => {
  const fetched = await from.fetch({ url, body, maxBytes: 16 })
  return fetched.kind === "answer" ? fetched.bytes.toString() : fetched.reason
}

test("the answer to a POST of the question", async () => {
  let seen: unknown
  responder.answering = (_, response) => {
    const { method, url, headers } = response.req
    seen = {
      method,
      url,
      host: headers.host,
      type: headers["content-type"],
      length: headers["content-length"],
    }
    response.end("hello")
  }
  expect(await post(`http://ca.test:${responder.port}/a%20b?c`)).toBe("hello")
  expect(responder.requests).toEqual([bytes])
  expect(asked).toEqual(["ca.test"])
  expect(seen).toEqual({
    ...{ method: "POST", url: "/a%20b?c", host: `ca.test:${responder.port}` },
    ...{ type: "application/ocsp-request", length: "8" },
  })
})

test("the answer to a GET", async () => {
  const fetched = await fetcher().fetch({ url: responder.url, maxBytes: 5 })
  expect(fetched).toEqual({ kind: "answer", bytes: Buffer.from("hello") })
})

test("nobody is led to a port of our own on this machine, by address or by name", async () => {
  ownPorts = new Set([responder.port])
  onTestFinished(() => {
    ownPorts = new Set()
  })
  const reason = `port ${responder.port} of this machine is wick's own`
  expect(await post()).toBe(reason)
  expect(await post(`http://ca.test:${responder.port}/`)).toBe(reason)
  expect(responder.requests).toEqual([])
})

test("no more than four questions at once come to one server", async () => {
  let [running, most] = [0, 0]
  responder.answering = async (_, response) => {
    running += 1
    most = Math.max(most, running)
    await letPass(10, "a fifth one comes, if it may")
    running -= 1
    response.end("hello")
  }
  const from = fetcher()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(responder.url, from)))
  expect(new Set(answers)).toEqual(new Set(["hello"]))
  expect(most).toBe(4)
})

describe("where it does not go", () => {
  test.each([
    ["https://ca.test/", "only URLs with http:// are asked, as is usual for certificates"],
    ["ldap://ca.test/cn=x", "only URLs with http:// are asked, as is usual for certificates"],
    ["file:///etc/passwd", "only URLs with http:// are asked, as is usual for certificates"],
    ["http://user:word@ca.test/", "its URL bears a user or a password"],
    ["http://", "the URL in the certificate is none"],
    [`http://ca.test/${"a".repeat(2048)}`, "the URL in the certificate is none"],
    ["http://169.254.169.254/latest", "link-local addresses are not allowed"],
    ["http://127.0.0.1:10246/", "loopback addresses are not allowed"],
    ["http://2130706433/", "loopback addresses are not allowed"],
    ["http://0x7f.1/", "loopback addresses are not allowed"],
    ["http://[::ffff:127.0.0.1]/", "loopback addresses are not allowed"],
    ["http://[::1]/", "loopback addresses are not allowed"],
    ["http://[fe80::1]/", "link-local addresses are not allowed"],
    ["http://0.0.0.0/", "unspecified addresses are not allowed"],
  ])("%s", async (url, reason) => {
    expect(await post(url, fetcher(false))).toBe(reason)
    expect(asked).toEqual([])
  })

  test.each([
    "127.0.0.1",
    "169.254.169.254",
    "::ffff:127.0.0.1",
  ])("a name that leads to %s", async (address) => {
    outcome = found(address)
    expect(await post(`http://ca.test:${responder.port}/`, fetcher(false))).toContain(
      "addresses are not allowed",
    )
    expect(responder.requests).toEqual([])
  })

  test("a name without addresses", async () => {
    outcome = { kind: "absent", reason: "DNS knows no such name (NXDOMAIN)" }
    expect(await post("http://ca.test/")).toBe("DNS knows no such name (NXDOMAIN)")
  })

  test("where it is sent on", async () => {
    responder.answering = (_, response) => void response.writeHead(302, { Location: responder.url }).end()
    expect(await post()).toBe("it answers with status 302")
    expect(responder.requests).toHaveLength(1)
  })
})

describe("what is no answer", () => {
  test.each([204, 404, 500])("status %d", async (status) => {
    responder.answering = (_, response) => void response.writeHead(status).end()
    expect(await post()).toBe(`it answers with status ${status}`)
  })

  test("more than was agreed, however much it is", async () => {
    responder.answering = (_, response) => {
      const write = () => {
        while (response.write(Buffer.alloc(65_536))); // to the end of days
      }
      response.on("drain", write)
      write()
    }
    expect(await post()).toBe("it answers with more than 16 bytes")
  })

  test("nothing for two seconds", async () => {
    responder.answering = () => {}
    expect(await tookAtLeast(1900, () => post())).toBe("it does not answer in time")
  })

  test("one byte each second", async () => {
    responder.answering = (_, response) => {
      const timer = setInterval(() => response.write("x"), 1000)
      response.on("close", () => clearInterval(timer))
    }
    // Who only looked at the pauses would find the seventeenth byte too many.
    expect(await post()).toBe("it does not answer in time")
  })

  test("an answer that ends early", async () => {
    responder.answering = (_, response) => {
      response.writeHead(200, { "Content-Length": 9 }).write("hell")
      setTimeout(() => response.destroy(), 20)
    }
    expect(await post()).toBe("it closes the connection")
  })

  test.each<[string, (socket: Socket) => void]>([
    ["it closes the connection", (socket) => socket.destroy()],
    [
      "it closes the connection",
      (s) => s.end("HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    ],
    ["it does not speak HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
  ])("%s", async (reason, greet) => {
    await using server = createServer(
      (socket) => void socket.on("error", () => {}).once("data", () => greet(socket)),
    )
    await once(server.listen(0, "127.0.0.1"), "listening")
    expect(await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toBe(reason)
  })

  test("a port where nobody listens", async () => {
    const [port = 0] = await freePorts(1)
    expect(await post(`http://127.0.0.1:${port}/`)).toBe("nobody listens there")
  })
})

test("everything ends with the controller", async () => {
  const working = new AbortController()
  responder.answering = () => working.abort()
  expect(await post(responder.url, fetcher(true, working.signal))).toBe("it cannot be reached (ABORT_ERR)")
})
