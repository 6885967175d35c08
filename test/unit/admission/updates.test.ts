// What may be changed of an Ingress that is there: what was wrong before stays as it was.
import { describe, expect, test } from "vitest"
import { ingress, type Json } from "../../../harness/manifests.ts"
import { refusalOf, review, submitted, warningsOf, webhook } from "./reviews.ts"

const shop = "shop.test/ → web:80"

describe("an update", () => {
  const broken = submitted(ingress("shop/web", shop, { "proxy-body-size": "abc" }))
  const update = (object: Json, oldObject: Json) => review(object, { operation: "UPDATE", oldObject })

  test("that leaves alone what was wrong before is let in, with a warning", () => {
    const labelled = submitted(broken, { labels: { team: "shop" } })
    const answer = webhook().ask(update(labelled, broken))
    expect(refusalOf(answer)).toBe("")
    expect(warningsOf(answer)[0]).toContain('Cannot use "abc" for annotation "proxy-body-size"')
  })

  test("that makes something else wrong is refused for that alone", () => {
    const worse = submitted(
      ingress("shop/web", shop, { "proxy-body-size": "abc", "proxy-read-timeout": "x" }),
    )
    const refusal = refusalOf(webhook().ask(update(worse, broken)))
    expect(refusal).toContain("proxy-read-timeout")
    expect(refusal).not.toContain("proxy-body-size")
  })

  test.each([
    [
      "a forbidden annotation another value",
      { "admission-forbidden-annotations": "server-alias" },
      ingress("shop/web", shop, { "server-alias": "a.test" }),
      ingress("shop/web", shop, { "server-alias": "b.test" }),
    ],
    [
      "an annotation of too great a risk another value",
      { "annotations-risk-level": "Low" },
      ingress("shop/web", shop, { "auth-url": "https://a.test/" }),
      ingress("shop/web", shop, { "auth-url": "https://b.test/" }),
    ],
    [
      "a host of others another path",
      { "admission-hosts": "shop: other.test" },
      ingress("shop/web", shop),
      ingress("shop/web", "shop.test/x → web:80"),
    ],
    [
      "a path that cannot be used another Service",
      {},
      ingress("shop/web", "shop.test/[a] → web:80"),
      ingress("shop/web", "shop.test/[a] → api:80"),
    ],
  ])("cannot give %s", (_, settings, before, after) => {
    const world = { settings }
    const labelled = submitted(before, { labels: { team: "shop" } })
    expect(refusalOf(webhook(world).ask(update(labelled, submitted(before))))).toBe("")
    expect(refusalOf(webhook(world).ask(update(submitted(after), submitted(before))))).not.toBe("")
  })

  test("cannot lead a path that somebody else has to another Service", () => {
    const world = { others: [ingress("other/web", shop)] }
    const [before, after] = [ingress("shop/web", shop), ingress("shop/web", "shop.test/ → api:80")].map(
      (it) => submitted(it),
    )
    if (before === undefined || after === undefined) throw new Error("unreachable")
    expect(refusalOf(webhook(world).ask(update(submitted(before, { labels: {} }), before)))).toBe("")
    expect(refusalOf(webhook(world).ask(update(after, before)))).toContain("is already defined")
  })

  test("from another class has nothing that stood before, not even what is known from attacks", () => {
    const spec = ingress("shop/web", "shop.test/alias; ~→ web:80")
    const foreign = submitted({ ...spec, spec: { ...(spec.spec as Json), ingressClassName: "other" } })
    expect(refusalOf(webhook().ask(update(submitted(spec), foreign)))).toContain("known from attacks")
  })

  test("tells of differences that it brings, and of those alone", () => {
    const cors = { "enable-cors": "true", "cors-allow-origin": "https://page.test" }
    const before = submitted(ingress("shop/web", shop, cors))
    const labelled = submitted(before, { labels: { team: "shop" } })
    expect(warningsOf(webhook().ask(update(labelled, before)))).toEqual([])
    const digest = { ...cors, "auth-type": "digest", "auth-secret": "users" }
    const warnings = warningsOf(webhook().ask(update(submitted(ingress("shop/web", shop, digest)), before)))
    expect(warnings.map((text) => /\[([a-z-]+)\]/.exec(text)?.[1] ?? text)).toEqual(["auth-type-digest"])
  })

  test("from another class is held against everything", () => {
    const foreign = { ...broken, spec: { ...(broken.spec as Json), ingressClassName: "other" } }
    expect(refusalOf(webhook().ask(update(broken, foreign)))).toContain("proxy-body-size")
  })
})
