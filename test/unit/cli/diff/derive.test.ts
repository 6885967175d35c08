import { describe, expect, test } from "vitest"
import { knownFrom } from "../../../../cli/diff/diff.ts"
import { type DiffRequest, isSendable, keyOf } from "../../../../cli/diff/requests/request.ts"
import { lintObjectsOf } from "../../../../cli/lint/objects.ts"
import { hasCorpus, readCorpus } from "../../../../harness/corpus.ts"
import { ingress, ingressClass, type Json, withTls } from "../../../../harness/manifests.ts"
import { changesOf, optionsOf } from "../../../../harness/translation.ts"

function derived(...objects: readonly Json[]): readonly DiffRequest[] {
  const options = optionsOf(["--manifests=diff"])
  const given = lintObjectsOf(
    [ingressClass, ...objects].flatMap((object) => changesOf(object, "diff")),
    options,
    false,
  )
  const input = { given, controller: { options, badFlags: [] }, name: "", locate: () => undefined }
  return knownFrom(input, Date.UTC(2026, 2, 1)).requests
}

function lines(requests: readonly DiffRequest[]): readonly string[] {
  return requests.map(({ method, scheme, host, target }) => `${method} ${scheme}://${host}${target}`)
}

describe("requests of an Ingress", () => {
  test("an exact path, itself and around it", () => {
    expect(lines(derived(ingress("a/a", "a.test/cart =→ app:80"))).slice(0, 4)).toEqual([
      "GET http://a.test/cart",
      "GET http://a.test/cart/",
      "GET http://a.test/cart/wick-diff",
      "GET http://a.test/cart-wick-diff",
    ])
  })

  test("a prefix with a slash is asked for without it, too", () => {
    expect(lines(derived(ingress("a/a", "a.test/cart/ → app:80")))).toContain("GET http://a.test/cart")
  })

  test("a host with TLS is asked by HTTPS, and each path by HTTP once", () => {
    const found = lines(derived(withTls(ingress("a/a", "a.test/cart → app:80"), "a.test=tls")))
    expect(found).toContain("GET https://a.test/cart/wick-diff")
    expect(found.filter((line) => line.startsWith("GET http://a.test"))).toEqual(["GET http://a.test/cart"])
  })

  test("a wildcard stands for one label, not for two or none", () => {
    const found = lines(derived(ingress("a/a", "*.a.test/ → app:80")))
    expect(found).toEqual(
      expect.arrayContaining([
        "GET http://wick-diff.a.test/",
        "GET http://two.labels.a.test/",
        "GET http://a.test/",
      ]),
    )
  })

  test("a rule without host is for a name that nobody has", () => {
    expect(lines(derived(ingress("a/a", "/cart → app:80")))).toContain("GET http://wick-diff.invalid/cart")
  })

  test("patterns are asked for by texts that match, also those of another Ingress of the host", () => {
    const pattern = ingress("a/a", "a.test/v[0-9]/.* ~→ app:80", { "use-regex": "true" })
    const other = ingress("a/b", "a.test/w(1|2) ~→ app:80")
    const found = lines(derived(pattern, other))
    expect(found).toEqual(
      expect.arrayContaining(["GET http://a.test/v1/", "GET http://a.test/w1", "GET http://a.test/w2"]),
    )
  })

  test("CORS: preflights and requests of an allowed and a foreign origin", () => {
    const annotations = { "enable-cors": "true", "cors-allow-origin": "https://*.shop.test" }
    const found = derived(ingress("a/a", "a.test/ → app:80", annotations))
    const origins = found.flatMap(({ method, headers: { origin } }) =>
      origin ? [`${method} ${origin}`] : [],
    )
    expect(origins).toEqual([
      "OPTIONS https://page.shop.test",
      "GET https://page.shop.test",
      "OPTIONS https://wick-diff.invalid",
      "GET https://wick-diff.invalid",
    ])
  })

  test("a canary by header and cookie, both ways", () => {
    const annotations = { canary: "true", "canary-by-header": "X-Beta", "canary-by-cookie": "beta" }
    const found = derived(ingress("a/a", "a.test/ → app:80", annotations)).map(({ headers }) => headers)
    expect(found).toEqual(
      expect.arrayContaining([
        { "x-beta": "always" },
        { "x-beta": "never" },
        { cookie: "beta=always" },
        { cookie: "beta=never" },
      ]),
    )
  })

  test("a canary's pattern is asked for by a text that matches", () => {
    const annotations = {
      canary: "true",
      "canary-by-header": "X-Beta",
      "canary-by-header-pattern": "^user-[0-9]+$",
    }
    const found = derived(ingress("a/a", "a.test/ → app:80", annotations)).map(({ headers }) => headers)
    expect(found).toContainEqual({ "x-beta": "user-1" })
  })

  test("paths with users are asked for with and without credentials", () => {
    const users = ingress("a/a", "a.test/ → app:80", { "auth-type": "basic", "auth-secret": "users" })
    expect(derived(users).filter(({ hasCredentials }) => hasCredentials)).toHaveLength(1)
  })

  test("an address of a list, as a client may claim it", () => {
    const list = ingress("a/a", "a.test/ → app:80", { "whitelist-source-range": "10.1.0.0/16, ::1" })
    expect(derived(list).map(({ headers }) => headers)).toContainEqual({ "x-forwarded-for": "10.1.0.0" })
  })

  test("aliases, www and the app root", () => {
    const annotations = {
      "server-alias": "b.test, *.c.test",
      "from-to-www-redirect": "true",
      "app-root": "/start",
    }
    const found = lines(derived(ingress("a/a", "a.test/cart → app:80", annotations)))
    expect(found).toEqual(
      expect.arrayContaining([
        "GET http://b.test/cart",
        "GET https://wick-diff.c.test/cart",
        "GET http://www.a.test/cart",
        "GET http://a.test/",
      ]),
    )
  })

  test("what one side refuses is asked for as well", () => {
    const refused = ingress("a/a", "a.test/x//y → app:80", { "limit-rps": "many" })
    expect(lines(derived(refused))).toContain("GET http://a.test/x//y")
  })
})

describe.skipIf(!hasCorpus)("598 published Ingresses", () => {
  const ingresses = hasCorpus ? readCorpus().map((sample) => sample.ingress) : []

  test("give requests, nearly all of which can be sent, and each of their paths is in one", () => {
    const requests = derived(...ingresses)
    const distinct = new Set(requests.map(keyOf)).size
    expect(distinct).toBeGreaterThan(5 * ingresses.length)
    expect(distinct).toBeLessThan(50 * ingresses.length)
    const unsendable = requests.filter((request) => !isSendable(request))
    expect(unsendable.length).toBeLessThan(requests.length / 100)
    const served = new Set(requests.map(({ ingress: it }) => `${it?.namespace}/${it?.name}`))
    const names = ingresses.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)
    expect(names.filter((name) => !served.has(name))).toEqual([])
  })
})
