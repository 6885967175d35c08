import { describe, expect, test } from "vitest"
import { stapled } from "../../../../../controller/core/assemble/tls/staples.ts"
import type { Certificate } from "../../../../../controller/model/certificate.ts"
import { type Facts, noFacts } from "../../../../../controller/model/facts.ts"
import type { OcspState, OcspTrouble } from "../../../../../controller/model/ocsp-state.ts"
import { SecretText } from "../../../../../controller/model/secret-file.ts"
import type { TlsSecretState } from "../../../../../controller/model/tls-secret.ts"

const certificate = (id: string): Certificate => ({ id, chain: [], key: new SecretText("") })
const secretWith = (id: string): TlsSecretState => ({
  kind: "usable",
  secret: { pair: { certificate: certificate(id), names: [], notAfterMs: 0, keyType: "ec" } },
})
const staple = (id: string): OcspState => ({
  staple: { certificate: id, response: "MIIB", untilMs: 5 },
})

function facts(
  ocsp: Readonly<Record<string, OcspState>>,
  secrets: Readonly<Record<string, string>> = {},
): Facts {
  const states = Object.entries(secrets).map(([name, id]) => [name, secretWith(id)] as const)
  return { ...noFacts, ocsp: new Map(Object.entries(ocsp)), tlsSecrets: new Map(states) }
}

describe("staples", () => {
  test("of the certificates that are served, in their order", () => {
    const known = facts({ c: staple("c"), b: staple("b"), a: staple("a") })
    const { staples, problems } = stapled([certificate("a"), certificate("c"), certificate("x")], known)
    expect(staples.map((one) => one.certificate)).toEqual(["a", "c"])
    expect(problems).toEqual([])
  })

  test("none where nobody asks for any", () => {
    expect(stapled([certificate("a")], noFacts)).toEqual({ staples: [], problems: [] })
  })

  test("one stays while its responder is in trouble", () => {
    const trouble = { kind: "failing", responder: "http://r/", since: "2026", reason: "no" } as const
    const state = { ...staple("a"), trouble }
    expect(stapled([certificate("a")], facts({ a: state })).staples).toHaveLength(1)
  })
})

describe("trouble", () => {
  const said = (trouble: OcspTrouble) =>
    stapled([certificate("a")], facts({ a: { trouble } }, { "shop/tls": "a" })).problems[0]
  const object = { kind: "Secret", namespace: "shop", name: "tls" }

  test("a revoked certificate", () => {
    const trouble = {
      kind: "revoked",
      responder: "http://ca.test/",
      since: "2026-11-01T00:00:00.000Z",
    } as const
    const message =
      'The certificate in Secret "shop/tls" was REVOKED by its issuer at 2026-11-01T00:00:00.000Z, says "http://ca.test/": clients may refuse it, put a new one in its place'
    expect(said(trouble)).toEqual({ object, field: "data", code: "certificate-revoked", message })
  })

  test("a responder that gives nothing", () => {
    const since = "2026-11-01T00:00:00.000Z"
    const trouble = {
      kind: "failing",
      responder: "http://ca.test/",
      since,
      reason: "nobody listens there",
    } as const
    const message = `Cannot get an OCSP response for the certificate in Secret "shop/tls" from "http://ca.test/" since ${since}: nobody listens there; without one nothing is stapled`
    expect(said(trouble)).toEqual({ object, field: "data", code: "ocsp-failing", message })
  })

  test("a certificate without its issuer", () => {
    const trouble = {
      kind: "impossible",
      reason: "tls.crt has no certificate of the issuer behind it",
    } as const
    const message =
      'Cannot staple OCSP for the certificate in Secret "shop/tls": tls.crt has no certificate of the issuer behind it'
    expect(said(trouble)).toEqual({ object, field: "data", code: "ocsp-impossible", message })
  })

  test("is told of every Secret with the certificate, and of none whose certificate is not served", () => {
    const trouble = { kind: "impossible", reason: "no" } as const
    const secrets = { "b/tls": "a", "a/tls": "a", "c/tls": "b" }
    const { problems } = stapled([certificate("a")], facts({ a: { trouble }, b: { trouble } }, secrets))
    expect(problems.map((problem) => problem.object.namespace)).toEqual(["a", "b"])
  })
})
