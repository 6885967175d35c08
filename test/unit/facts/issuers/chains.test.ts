import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Asking, Fetched } from "../../../../controller/facts/fetch/fetcher.ts"
import { Chains, type TlsSecrets } from "../../../../controller/facts/issuers/chains.ts"
import { Issuers } from "../../../../controller/facts/issuers/issuers.ts"
import { readTlsSecret } from "../../../../controller/facts/secrets/read.ts"
import type { TlsSecretState } from "../../../../controller/model/tls-secret.ts"
import { type Authority, type Identity, rootAuthority } from "../../../../harness/pki.ts"

const url = (name: string) => `http://ca.test/${name}`
const minuteMs = 60_000

let root: Authority
let upper: Authority
let lower: Authority
let leaf: Identity
let served: Record<string, Uint8Array>
let asked: string[]
let changes: number
let kept: Map<string, string>
let stop: AbortController
let chains: Chains

beforeEach(async () => {
  root = await rootAuthority({ cn: "root" })
  upper = await root.intermediate({ cn: "upper", issuer: url("root") })
  lower = await upper.intermediate({ cn: "lower", issuer: url("upper") })
  leaf = await lower.issue({ names: ["shop.test"], issuer: url("lower") })
  served = { [url("root")]: root.der, [url("upper")]: upper.der, [url("lower")]: lower.der }
  asked = []
  changes = 0
  kept = new Map()
  stop = new AbortController()
  vi.useFakeTimers()
  chains = newChains()
})
afterEach(() => {
  stop.abort()
  vi.useRealTimers()
})

async function fetch({ url }: Asking): Promise<Fetched> {
  asked.push(url)
  const bytes = served[url]
  return bytes ? { kind: "answer", bytes } : { kind: "failed", reason: "it answers with status 404" }
}

function newChains(): Chains {
  const cache = {
    put: async (name: string, text: string) => void kept.set(name, text),
    remove: async (name: string) => void kept.delete(name),
  }
  const changed = () => {
    changes += 1
  }
  const options = {
    fetcher: { fetch },
    cache,
    cached: new Map(kept),
    changed,
    signal: stop.signal,
    random: () => 0,
  }
  return new Chains(new Issuers(options))
}

function stateOf(...certificates: readonly { readonly pem: string }[]): TlsSecretState {
  const text = certificates.map(({ pem }) => pem).join("")
  const data = { "tls.crt": Buffer.from(text), "tls.key": Buffer.from(leaf.keyPem) }
  const meta = { namespace: "shop", name: "tls", uid: "", createdMs: 0, labels: {}, annotations: {} }
  const reading = readTlsSecret({ kind: "Secret", type: "kubernetes.io/tls", meta, data })
  if (reading.kind === "refused") throw new Error(reading.reason)
  return { kind: "usable", secret: reading.secret }
}

const names = (states: TlsSecrets): string[] => {
  const state = states.get("shop/tls")
  const chain = state?.kind === "usable" ? (state.secret.pair?.certificate.chain ?? []) : []
  const known = [leaf, lower, upper, root]
  return chain.map(
    (text) => known.find(({ der }) => der.equals(Buffer.from(text, "base64")))?.certificate.subject ?? "",
  )
}
const all = ["CN=shop.test", "CN=lower", "CN=upper"]

/** Passes, as they come after changes. */
async function passes(states: TlsSecrets, waitMs = 0): Promise<TlsSecrets> {
  for (let pass = 0; pass < 5; pass += 1) {
    await complete(states)
    await vi.advanceTimersByTimeAsync(waitMs)
  }
  return complete(states)
}

async function complete(states: TlsSecrets): Promise<TlsSecrets> {
  await chains.complete(states)
  return chains.states()
}

describe("a chain", () => {
  test("gets what it lacks, without the root", async () => {
    const states = new Map([["shop/tls", stateOf(leaf)]])
    expect(names(await complete(states))).toEqual(["CN=shop.test"])
    const completed = await passes(states)
    expect(names(completed)).toEqual(all)
    expect(asked).toEqual([url("lower"), url("upper"), url("root")])
    expect(changes).toBe(3)
    expect(await passes(states)).toBe(completed)
    expect(asked).toHaveLength(3)
  })

  test("is another certificate then", async () => {
    const states = new Map([["shop/tls", stateOf(leaf)]])
    const id = (of: TlsSecrets) => {
      const state = of.get("shop/tls")
      return state?.kind === "usable" && state.secret.pair?.certificate.id
    }
    expect(id(await passes(states))).not.toBe(id(states))
    const complete = new Map([["shop/tls", stateOf(leaf, lower, upper)]])
    expect(id(await passes(states))).toBe(id(complete))
  })

  test("may have its certificates in any order", async () => {
    expect(names(await passes(new Map([["shop/tls", stateOf(upper, leaf)]])))).toEqual([
      "CN=shop.test",
      "CN=upper",
      "CN=lower",
    ])
  })

  test("with the root is left as it is, and nobody is asked", async () => {
    const states = new Map([["shop/tls", stateOf(leaf, lower, upper, root)]])
    expect((await passes(states)).get("shop/tls")).toBe(states.get("shop/tls"))
    expect(asked).toEqual([])
  })

  test("may be fetched as PEM", async () => {
    served[url("lower")] = Buffer.from(lower.pem)
    expect(names(await passes(new Map([["shop/tls", stateOf(leaf)]])))).toEqual(all)
  })
})

describe("what cannot be had", () => {
  const incomplete = (states: TlsSecrets) => {
    const state = states.get("shop/tls")
    return state?.kind === "usable" ? state.incomplete : undefined
  }

  test.each<[string, Uint8Array | undefined]>([
    ["it answers with status 404", undefined],
    ["what it answers is no certificate", Buffer.from("<html>")],
  ])("is said after three attempts: %s", async (reason, bytes) => {
    const states = new Map([["shop/tls", stateOf(leaf, lower)]])
    if (bytes) served[url("upper")] = bytes
    else delete served[url("upper")]
    expect(incomplete(await passes(states, 5000))).toBeUndefined()
    expect(incomplete(await passes(states, 5000))).toEqual({ url: url("upper"), reason })
    expect(names(await passes(states))).toEqual(["CN=shop.test", "CN=lower"])
    served[url("upper")] = upper.der
    const later = await passes(states, minuteMs)
    expect([names(later), incomplete(later)]).toEqual([all, undefined])
  })

  test("another certificate is not taken", async () => {
    served[url("upper")] = leaf.der
    const states = new Map([["shop/tls", stateOf(leaf, lower)]])
    const reason = "it is another certificate than the issuer's"
    expect(incomplete(await passes(states))).toEqual({ url: url("upper"), reason })
    expect(names(await passes(states))).toEqual(["CN=shop.test", "CN=lower"])
  })

  test("a certificate with a key of no known kind is not taken", async () => {
    const ecKey = Buffer.from("06072a8648ce3d0201", "hex")
    const strange = Buffer.from(upper.der)
    strange[strange.indexOf(ecKey) + ecKey.length - 1] = 0x09
    served[url("upper")] = strange
    const states = new Map([["shop/tls", stateOf(leaf, lower)]])
    const reason = "it is another certificate than the issuer's"
    expect(incomplete(await passes(states))).toEqual({ url: url("upper"), reason })
  })

  test("a chain without end is left at some length", async () => {
    const certificates: Authority[] = [root]
    for (let at = 0; at < 8; at += 1) {
      const above = certificates.at(-1) ?? root
      certificates.push(await above.intermediate({ cn: `c${at}`, issuer: url(`c${at - 1}`) }))
      served[url(`c${at}`)] = certificates.at(-1)?.der ?? new Uint8Array()
    }
    leaf = (await certificates.at(-1)?.issue({ names: ["shop.test"], issuer: url("c7") })) ?? leaf
    expect(names(await passes(new Map([["shop/tls", stateOf(leaf)]])))).toHaveLength(5)
  })
})

describe("a restart", () => {
  test("goes on with what was kept, though nobody answers", async () => {
    const states = new Map([["shop/tls", stateOf(leaf)]])
    await passes(states)
    served = {}
    chains = newChains()
    expect(names(await complete(states))).toEqual(all)
    expect(asked).toHaveLength(3)
  })

  test("what nobody needs any more is not kept", async () => {
    await passes(new Map([["shop/tls", stateOf(leaf)]]))
    expect(kept.size).toBe(3)
    await complete(new Map())
    expect(kept.size).toBe(0)
  })
})

test("Secrets that are not for TLS, or refused, are let through", async () => {
  const states = new Map<string, TlsSecretState>([
    ["a/a", { kind: "refused", reason: "no" }],
    ["b/b", { kind: "usable", secret: {} }],
  ])
  expect(await complete(states)).toEqual(states)
})
