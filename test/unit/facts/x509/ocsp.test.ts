import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as pkijs from "pkijs"
import { describe, expect, test } from "vitest"
import {
  issuerOf,
  judgeResponse,
  type OcspQuery,
  queryOf,
  requestFor,
} from "../../../../controller/facts/x509/ocsp.ts"
import { type Authority, type Identity, type KeyKind, rootAuthority } from "../../../../harness/pki.ts"
import { ocspRefusal, ocspResponse, type ResponseWanted } from "../../../support/ocsp.ts"

const dayMs = 86_400_000
const nowMs = Date.now()
const at = (ms: number) => new Date(Math.floor((nowMs + ms) / 1000) * 1000)
const root = await rootAuthority()
const ca = await root.intermediate()
const leaf = await ca.issue({ names: ["shop.test"] })
const query = queryFor(leaf, ca)

function queryFor(certificate: Identity, issuer: Authority): OcspQuery {
  const query = queryOf(certificate.certificate, issuerOf(issuer.der))
  if (query === undefined) throw new Error("another one issued it")
  return query
}

const judge = async (wanted: Partial<ResponseWanted> = {}) =>
  judgeResponse(query, await ocspResponse({ about: leaf, ...wanted }), nowMs)
const reasonOf = async (wanted: Partial<ResponseWanted>) => {
  const verdict = await judge(wanted)
  return verdict.kind === "unusable" ? verdict.reason : verdict.kind
}

describe("a good response", () => {
  test("holds until it says", async () => {
    expect(await judge({ until: at(7 * dayMs) })).toEqual({ kind: "good", untilMs: at(7 * dayMs).getTime() })
  })

  test("holds for a day if it does not say", async () => {
    const verdict = await judge({ from: at(-3_600_000), until: null })
    expect(verdict).toEqual({ kind: "good", untilMs: at(dayMs - 3_600_000).getTime() })
  })

  test.each<[string, Partial<ResponseWanted>]>([
    ["its signer may be named by the key", { namesKey: true }],
    ["names in it may be hashed with SHA-256", { hash: "SHA-256" }],
    ["the clock of the responder may be some minutes ahead", { from: at(200_000) }],
    ["certificates that are of no use do no harm", { certificates: [root, leaf] }],
  ])("%s", async (_, wanted) => {
    expect(await reasonOf(wanted)).toBe("good")
  })

  test.each<KeyKind>(["rsa", "ec-p384"])("may be signed with a key of kind %s", async (key) => {
    const issuer = await rootAuthority({ key })
    const about = await issuer.issue({ names: ["shop.test"] })
    const response = await ocspResponse({ about })
    expect(judgeResponse(queryFor(about, issuer), response, nowMs).kind).toBe("good")
  })

  test.each([true, false])("may be signed by a delegate (named by its key: %s)", async (namesKey) => {
    const by = await ca.issue({ cn: "responder", usages: ["ocspSigning"] })
    expect(await reasonOf({ by, namesKey })).toBe("good")
  })
})

describe("a response is of no use", () => {
  const elsewhere = "it is signed by somebody whom the issuer does not know"
  const delegate = (wanted: object = {}) => ca.issue({ cn: "responder", usages: ["ocspSigning"], ...wanted })

  test.each<[string, () => Promise<Partial<ResponseWanted>>]>([
    ["it is about another certificate", async () => ({ about: await ca.issue({ names: ["shop.test"] }) })],
    ["the responder does not know the certificate", async () => ({ status: "unknown" })],
    ["it is not valid any more", async () => ({ from: at(-2 * dayMs), until: at(-1000) })],
    ["it is not valid any more", async () => ({ from: at(-dayMs - 1000), until: null })],
    ["it is not valid yet", async () => ({ from: at(400_000) })],
    ["it is signed by somebody else", async () => ({ by: await delegate(), certificates: [] })],
    [
      "it is signed by somebody who has no right to",
      async () => ({ by: await ca.issue({ cn: "responder" }) }),
    ],
    [elsewhere, async () => ({ by: await root.issue({ cn: "responder", usages: ["ocspSigning"] }) })],
    [elsewhere, async () => ({ by: await (await impostor()).issue({ cn: "x", usages: ["ocspSigning"] }) })],
    ["its signature is wrong", async () => ({ by: await impostor() })],
    [
      "the certificate of its signer is not valid now",
      async () => ({ by: await delegate({ until: at(-1000) }) }),
    ],
    [
      "the certificate of its signer is not valid now",
      async () => ({ by: await delegate({ from: at(dayMs) }) }),
    ],
  ])("when %s", async (reason, wanted) => {
    expect(await reasonOf(await wanted())).toBe(reason)
  })

  /** Bears the issuer's name. */
  const impostor = () => rootAuthority({ cn: "Test intermediate" })

  test("when it was changed on the way", async () => {
    const forged = await ocspResponse({ about: leaf, until: new Date("2039-01-01T00:00:00Z") })
    forged.write("2049", forged.indexOf("2039"))
    const reason = "its signature is wrong"
    expect(judgeResponse(query, forged, nowMs)).toEqual({ kind: "unusable", reason })
  })

  test.each([
    [1, "malformedRequest"],
    [2, "internalError"],
    [3, "tryLater"],
    [5, "sigRequired"],
    [6, "unauthorized"],
    [9, "status 9"],
  ])("when the responder refuses: %d", (status, word) => {
    const reason = `the responder says ${word}`
    expect(judgeResponse(query, ocspRefusal(status), nowMs)).toEqual({ kind: "unusable", reason })
  })

  test("when it is none", async () => {
    const response = await ocspResponse({ about: leaf })
    const nested = Buffer.alloc(16_384, Buffer.from("3080", "hex"))
    const texts = [Buffer.from("<html>"), Buffer.alloc(0), Buffer.alloc(9), nested, response.subarray(0, -1)]
    for (const bytes of [...texts, Buffer.concat([response, Buffer.from("x")])]) {
      const reason = "it is no OCSP response"
      expect(judgeResponse(query, bytes, nowMs)).toEqual({ kind: "unusable", reason })
    }
  })

  test("wherever a byte of it is another", async () => {
    const response = await ocspResponse({ about: leaf, until: at(dayMs) })
    for (let index = 0; index < response.length; index += 1) {
      const forged = Buffer.from(response)
      forged[index] = (forged[index] ?? 0) ^ 0x01
      const { kind } = judgeResponse(query, forged, nowMs)
      if (kind !== "unusable") expect(unsigned(response, forged)).toBe(true)
    }
  })

  /** What is signed is the same. */
  function unsigned(a: Buffer, b: Buffer): boolean {
    const signed = (der: Buffer) => {
      const { responseBytes } = pkijs.OCSPResponse.fromBER(der)
      const basic = responseBytes?.response.valueBlock.valueHexView ?? new Uint8Array()
      return Buffer.from(pkijs.BasicOCSPResponse.fromBER(new Uint8Array(basic)).tbsResponseData.tbsView)
    }
    return signed(a).equals(signed(b))
  }
})

test("a certificate that was taken back is known, and since when", async () => {
  const verdict = await judge({ status: "revoked", from: at(-dayMs) })
  expect(verdict).toEqual({ kind: "revoked", sinceMs: at(-dayMs).getTime() })
})

test.each([
  "20269999999999Z",
  "99999999999999Z",
  "00000000000000Z",
])("a revocation at %s, signed as it should be, harms nobody", async (time) => {
  const verdict = await judge({ status: "revoked", revokedAt: time })
  const isDated = verdict.kind === "revoked" && Number.isFinite(verdict.sinceMs)
  expect(isDated || verdict.kind === "unusable").toBe(true)
  if (isDated) expect(new Date(verdict.sinceMs).toISOString()).toMatch(/Z$/)
})

test("nothing is asked of somebody who did not issue the certificate", async () => {
  const impostor = await rootAuthority({ cn: "Test intermediate" })
  expect(queryOf(leaf.certificate, issuerOf(root.der))).toBeUndefined()
  expect(queryOf(leaf.certificate, issuerOf(impostor.der))).toBeUndefined()
  expect(() => issuerOf(Buffer.from("x"))).toThrow()
})

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0

test.skipIf(!hasOpenssl)("OpenSSL reads the request, and answers it so that it is good", () => {
  const dir = mkdtempSync(join(tmpdir(), "wick-ocsp-"))
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(dir, name), content)
    return join(dir, name)
  }
  const serial = leaf.certificate.serialNumber
  const index = `V\t491231235959Z\t\t${serial}\tunknown\t/CN=shop.test\n`
  execFileSync("openssl", [
    ...["ocsp", "-index", file("index.txt", index), "-CA", file("ca.pem", ca.pem)],
    ...["-rsigner", file("signer.pem", ca.pem), "-rkey", file("signer.key", ca.keyPem), "-ndays", "1"],
    ...["-reqin", file("request.der", requestFor(query)), "-respout", join(dir, "response.der")],
  ])
  expect(judgeResponse(query, readFileSync(join(dir, "response.der")), nowMs).kind).toBe("good")
  rmSync(dir, { recursive: true })
})
