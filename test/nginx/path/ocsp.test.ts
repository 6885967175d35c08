// OCSP from the Secret to the handshake, with a responder of the test. Numbers are those of ingress-nginx's black-box cases.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { ingress, type Json, secret } from "../../../harness/manifests.ts"
import { type Authority, type Identity, rootAuthority } from "../../../harness/pki.ts"
import { until } from "../../../harness/until.ts"
import {
  type Answering,
  answeringWith,
  ocspResponse,
  Responder,
  type ResponseWanted,
} from "../../support/ocsp.ts"
import { stapled } from "../../support/stapled.ts"
import { Site } from "./site.ts"

let site: Site
let responder: Responder
/** Its answers are good. */
let prompt: Responder
let ca: Authority
beforeAll(async () => {
  ca = await (await rootAuthority()).intermediate()
  responder = await Responder.start(() => {})
  site = await Site.start(["a"])
  prompt = await Responder.start(() => {})
  site.configure({ "enable-ocsp": "true" })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await responder[Symbol.asyncDispose]()
  await prompt[Symbol.asyncDispose]()
})
/** A controller that has taken nginx over counts from 0. */
let isTakenOver = false
afterEach(() => (isTakenOver ? undefined : site.expectOnlyPosts()))

let hosts = 0

/** A host of its own for each case, with a certificate that names the responder. */
async function newHost(): Promise<{ host: string; leaf: Identity }> {
  hosts += 1
  const host = `shop${hosts}.test`
  return { host, leaf: await ca.issue({ names: [host], ocsp: responder.url }) }
}

function tlsHost(host: string, leaf: Identity, name = "shop"): Json[] {
  const { spec, ...rest } = ingress(`demo/${name}`, `${host}/ → a:80`) as { spec: Json }
  const tls = [{ hosts: [host], secretName: `${name}-tls` }]
  return [{ ...rest, spec: { ...spec, tls } }, secret(`demo/${name}-tls`, leaf.tlsData())]
}

/** Puts a host, and waits until what its responder has answered is in force: another one that answers later has its staple. */
async function putAndSettle(host: string, leaf: Identity): Promise<void> {
  const other = "later.test"
  const later = await ca.issue({ names: [other], ocsp: prompt.url })
  const response = await ocspResponse({ about: later })
  const asked = responder.requests.length
  prompt.answering = async (_, to) => {
    await until("the responder to be asked", () => responder.requests.length > asked)
    setTimeout(() => to.end(response), 200)
  }
  await put(...tlsHost(host, leaf), ...tlsHost(other, later, "later"))
  await everywhere(other, response)
}

const put = (...objects: readonly Json[]) => site.put(...site.service("a", "a"), ...objects)
const staple = (host: string, maxVersion?: "TLSv1.2") =>
  stapled({ port: site.wick.httpsPort, servername: host, ...(maxVersion && { maxVersion }) })

/** Every worker has it, so that a dozen connections have it. */
async function everywhere(host: string, expected: Buffer | undefined): Promise<void> {
  await until("the staple", async () => {
    const seen = await Promise.all(Array.from({ length: 12 }, () => staple(host)))
    return seen.every((one) => (expected === undefined ? one === undefined : one?.equals(expected)))
  })
}

describe("89: a certificate that names a responder", () => {
  test("is shown without a staple first, then with a good one, by TLS 1.3 and 1.2", async () => {
    const { host, leaf } = await newHost()
    const response = await ocspResponse({ about: leaf })
    let answerNow = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answerNow = resolve
    })
    responder.answering = async (_, to) => void mayAnswer.then(() => to.end(response))
    await put(...tlsHost(host, leaf))
    expect(await staple(host)).toBeUndefined()
    answerNow()
    await everywhere(host, response)
    expect(await staple(host, "TLSv1.2")).toEqual(response)
  })

  test("is not shown with the staple of the one before it", async () => {
    const { host, leaf } = await newHost()
    const first = await ocspResponse({ about: leaf })
    responder.answering = answeringWith(first)
    await put(...tlsHost(host, leaf))
    await everywhere(host, first)
    const renewed = await ca.issue({ names: [host], ocsp: responder.url })
    responder.answering = (_, to) => void to.writeHead(500).end()
    await put(...tlsHost(host, renewed))
    await everywhere(host, undefined)
  })
})

describe("no staple", () => {
  test.each<[string, (leaf: Identity) => Promise<Partial<ResponseWanted>>]>([
    ["of somebody else", async () => ({ by: await rootAuthority() })],
    ["about another certificate", async () => ({ about: (await newHost()).leaf })],
    [
      "that ran out",
      async () => ({ from: new Date(Date.now() - 7_200_000), until: new Date(Date.now() - 3_600_000) }),
    ],
    ["of a certificate that the responder does not know", async () => ({ status: "unknown" })],
  ])("%s", async (_, wrong) => {
    const { host, leaf } = await newHost()
    responder.answering = answeringWith(ocspResponse({ about: leaf, ...(await wrong(leaf)) }))
    await putAndSettle(host, leaf)
    expect(await staple(host)).toBeUndefined()
  })

  test("of a revoked certificate, which is said", async () => {
    const { host, leaf } = await newHost()
    responder.answering = answeringWith(ocspResponse({ about: leaf, status: "revoked" }))
    await put(...tlsHost(host, leaf))
    await site.untilProblem("certificate-revoked")
    expect(await staple(host)).toBeUndefined()
  })

  test("any more when it runs out", async () => {
    const shown = async (validMs: number) => {
      const { host, leaf } = await newHost()
      const end = new Date(Date.now() + validMs)
      const response = await ocspResponse({ about: leaf, until: end })
      responder.answering = answeringWith(response)
      await put(...tlsHost(host, leaf))
      const isShown = async () => (await staple(host))?.equals(response) === true
      const outcome = await until("the staple, or its end", async () =>
        (await isShown()) ? "shown" : new Date() > end && "over",
      )
      return outcome === "shown" && host
    }
    // The slower the machine, the longer one has to be good to be seen at all.
    let validMs = 2000
    const host = await until("a staple that is shown", () => {
      validMs *= 2
      return shown(validMs)
    })
    await everywhere(host, undefined)
  })

  test("any more when enable-ocsp is switched off, and again when it is on", async () => {
    const { host, leaf } = await newHost()
    const response = await ocspResponse({ about: leaf })
    responder.answering = answeringWith(response)
    await put(...tlsHost(host, leaf))
    await everywhere(host, response)
    site.configure({})
    await everywhere(host, undefined)
    site.configure({ "enable-ocsp": "true" })
    await everywhere(host, response)
  })
})

test.each<[string, Answering]>([
  ["an error", (_, to) => void to.writeHead(500).end()],
  ["garbage", (_, to) => void to.end("<html>")],
  ["a flood", (_, to) => void to.end(Buffer.alloc(1 << 20))],
])("nothing is stapled when the responder gives %s", async (_, answering) => {
  const { host, leaf } = await newHost()
  responder.answering = answering
  await putAndSettle(host, leaf)
  expect(await staple(host)).toBeUndefined()
})

test("a responder that says nothing holds up nobody", async () => {
  const { host, leaf } = await newHost()
  responder.answering = () => {}
  await putAndSettle(host, leaf)
  expect(await staple(host)).toBeUndefined()
})

test("a controller that starts while the responder is down goes on stapling", async () => {
  const { host, leaf } = await newHost()
  const response = await ocspResponse({ about: leaf })
  responder.answering = answeringWith(response)
  await put(...tlsHost(host, leaf))
  await everywhere(host, response)
  responder.answering = (_, to) => void to.writeHead(500).end()
  await site.wick.kill()
  expect(await staple(host)).toEqual(response)
  isTakenOver = true
  await site.wick.start()
  await put(...tlsHost(host, leaf))
  await everywhere(host, response)
  expect(await site.wick.metric("nginx_ingress_controller_success")).toBe(0)
})
