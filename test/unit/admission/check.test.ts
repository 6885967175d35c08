// What is let in and what is not, row by row as the webhook of ingress-nginx has it, and where this one knows better.
import { describe, expect, test } from "vitest"
import { ingress, type Json, withTls } from "../../../harness/manifests.ts"
import { asked, refusalOf, review, submitted, warningsOf, webhook } from "./reviews.ts"

const prefix = "nginx.ingress.kubernetes.io"
const shop = "shop.test/ → web:80"

describe("lets in", () => {
  test("an Ingress with nothing to complain about, and says nothing", () => {
    const answer = asked({}, "shop/web", shop)
    expect(refusalOf(answer)).toBe("")
    expect(warningsOf(answer)).toEqual([])
  })

  test("whatever is being deleted and stays what it is: its finalizers go", () => {
    const broken = submitted(ingress("shop/web", shop, { "proxy-body-size": "abc" }), {
      deletionTimestamp: "2026-01-31T12:00:00Z",
    })
    const oldObject = submitted(broken, { finalizers: ["example.test/wait"] })
    const answer = webhook().ask(review(broken, { operation: "UPDATE", oldObject }))
    expect([refusalOf(answer), warningsOf(answer)]).toEqual(["", []])
  })

  test("a deletion, which has no object", () => {
    const answer = webhook().ask(review(null, { operation: "DELETE" }))
    expect(JSON.parse(answer.body ?? "").response).toEqual({ uid: "of-the-request", allowed: true })
  })

  test("an Ingress of another class, however broken", () => {
    const world = { isOurs: () => false }
    const answer = asked(world, "shop/web", shop, { "proxy-body-size": "abc", "server-snippet": "x" })
    expect(refusalOf(answer)).toBe("")
  })

  test("an Ingress whose Secrets, ConfigMaps and Services are still to come", () => {
    const annotations = {
      "auth-type": "basic",
      "auth-secret": "users",
      "custom-headers": "shop/headers",
      "auth-tls-secret": "shop/ca",
      "proxy-ssl-secret": "shop/tls",
    }
    const object = withTls(ingress("shop/web", shop, annotations), "shop.test=tls")
    const answer = webhook().ask(review(submitted(object)))
    expect(refusalOf(answer)).toBe("")
    expect(warningsOf(answer)).toEqual([])
  })

  test("an annotation with an empty value, which counts as absent", () => {
    const answer = asked({}, "shop/web", shop, { "proxy-body-size": "" })
    expect(refusalOf(answer)).toBe("")
  })
})

describe("refuses", () => {
  test.each([
    {
      what: "text that is known from attacks, whatever the class",
      world: { isOurs: () => false },
      object: withTls(ingress("shop/web", "shop.test/x/alias/etc/; ~→ web:80"), "shop.test=x_by_lua"),
      says: [
        'spec.rules[0].http.paths[0].path: path "/x/alias/etc/;" has text that is known from attacks',
        'spec.tls[0].secretName: Secret "x_by_lua" has text',
      ],
    },
    {
      what: "a default backend where there may be none",
      world: { flags: { disableCatchAll: true } },
      object: ingress("shop/web", [shop, "* → web:80"]),
      says: ["spec.defaultBackend: remove it, or unset --disable-catch-all"],
    },
    {
      what: "an identity that no API server gives",
      object: submitted(ingress("shop/web", shop), { uid: "../../etc/passwd" }),
      says: ["metadata.uid: ingress has invalid UID"],
    },
    {
      what: "patterns of the type Prefix",
      object: ingress("shop/web", "shop.test/foo/bar/[a-z]{3} → web:80"),
      says: [
        'spec.rules[0].http.paths[0].path: path "/foo/bar/[a-z]{3}" cannot be used with pathType Prefix: write',
      ],
    },
    {
      what: "the usual prefix where another one is read",
      world: { flags: { annotationsPrefix: "custom.test" } },
      object: ingress("shop/web", shop, { "proxy-body-size": "8m" }),
      says: [`metadata.annotations["${prefix}/proxy-body-size"]`, 'write "custom.test/proxy-body-size"'],
    },
    {
      what: "forbidden words in annotations that are read",
      world: { settings: { "annotation-value-word-blocklist": "load_module, lua_package" } },
      object: ingress("shop/web", shop, { "app-root": "/lua_package" }),
      says: ['contains the word "lua_package", which annotation-value-word-blocklist forbids'],
    },
    {
      what: "snippets that nobody reads, whatever prefix they have",
      object: ingress("shop/web", shop, { "other.test/server-snippet": "deny all;" }),
      says: [
        'annotation "other.test/server-snippet" cannot be used: its text would be raw text',
        "ask the operator of wick for allow-snippet-annotations",
      ],
    },
    {
      what: "snippets below their risk level",
      world: { settings: { "allow-snippet-annotations": "true", "annotations-risk-level": "High" } },
      object: ingress("shop/web", shop, { "server-snippet": "gzip on;" }),
      says: ["is of risk parsed, and annotations-risk-level allows high at most"],
    },
    {
      what: "what of a snippet could only be raw text",
      object: ingress("shop/web", shop, { "configuration-snippet": "resolver 10.0.0.53;" }),
      says: [
        'Cannot use directive "resolver" of annotation "configuration-snippet"',
        "allow-snippet-annotations",
      ],
    },
    {
      what: "rules of ModSecurity that would not be in force",
      object: ingress("shop/web", shop, {
        "enable-modsecurity": "true",
        "modsecurity-snippet": "SecRuleEngine On\nSecTmpDir /tmp",
      }),
      says: [
        'annotation "modsecurity-snippet": in line 2, "SecTmpDir": it names a place on the disk of nginx',
      ],
    },
    {
      what: "annotations of more risk than is allowed",
      world: { settings: { "annotations-risk-level": "Low" } },
      object: ingress("shop/web", shop, { "proxy-body-size": "8m", "auth-url": "http://x.test/" }),
      says: ["proxy-body-size", "auth-url", "annotations-risk-level allows low at most"],
    },
    {
      what: "values that cannot be used",
      object: ingress("shop/web", shop, { "proxy-body-size": "abc" }),
      says: [
        `metadata.annotations["${prefix}/proxy-body-size"]: Cannot use "abc" for annotation "proxy-body-size": write a size such as 8m, 512k or 1048576`,
      ],
    },
    {
      what: "hosts that no client can ask for",
      object: ingress("shop/web", "sh_op.test/ → web:80"),
      says: ['spec.rules[0].host: Cannot use host "sh_op.test"'],
    },
    {
      what: "annotations that the platform wants and does not have",
      world: { settings: { "admission-required-annotations": "example.test/team,app-root" } },
      object: ingress("shop/web", shop, { "app-root": "/" }),
      says: [
        'metadata.annotations: annotation "example.test/team" is missing: add it, every Ingress here must have it',
      ],
    },
    {
      what: "annotations that the platform does not want",
      world: { settings: { "admission-forbidden-annotations": "server-alias" } },
      object: ingress("shop/web", shop, { "server-alias": "other.test" }),
      says: [`annotation "${prefix}/server-alias" is not allowed here: remove it`],
    },
    {
      what: "hosts that are another namespace's",
      world: { settings: { "admission-hosts": "shop: shop.test *.shop.test; *: *.apps.test" } },
      object: ingress("blog/web", ["shop.test/ → web:80", "/ → web:80", "x.apps.test/ → web:80"]),
      says: [
        'spec.rules[0].host: host "shop.test" is not for namespace blog: write one of *.apps.test',
        "spec.rules[1].host: every host is not for namespace blog",
      ],
    },
    {
      what: "every host where the rules for them cannot be read",
      world: { settings: { "admission-hosts": "shop" } },
      object: ingress("shop/web", shop),
      says: ['host "shop.test" is not for namespace shop: it may have none'],
    },
    {
      what: "more annotations than an API server takes",
      object: ingress("shop/web", shop, { "app-root": `/${"x".repeat(300_000)}` }),
      says: ["metadata.annotations: they have 300", "write 262144 at most"],
    },
  ])("$what", ({ world = {}, object, says }) => {
    const refusal = refusalOf(webhook(world).ask(review(submitted(object))))
    for (const part of says) expect(refusal).toContain(part)
  })

  test("everything at once, each with its field", () => {
    const annotations = { "proxy-body-size": "abc", "proxy-read-timeout": "5s", "server-snippet": "x" }
    const refusal = refusalOf(asked({}, "shop/web", "shop.test/[a] → web:80", annotations))
    expect(refusal.split("\n").map((line) => line.split(": ")[0])).toEqual([
      "spec.rules[0].http.paths[0].path",
      `metadata.annotations["${prefix}/proxy-body-size"]`,
      `metadata.annotations["${prefix}/proxy-read-timeout"]`,
      `metadata.annotations["${prefix}/server-snippet"]`,
    ])
  })

  test("no more than a person reads", () => {
    const paths = Array.from({ length: 20 }, (_, at) => `shop.test/[${at}] → web:80`)
    expect(
      refusalOf(asked({}, "shop/web", paths))
        .split("\n")
        .at(-1),
    ).toBe("and 12 more")
  })

  test("what cannot be decoded, with the field", () => {
    const object: Json = { ...submitted(ingress("shop/web", shop)), spec: { rules: "none" } }
    expect(refusalOf(webhook().ask(review(object)))).toContain(
      "spec.rules: Field spec.rules has to be a list",
    )
  })

  test.each([
    { object: undefined },
    { object: { apiVersion: "v1", kind: "Service", metadata: { name: "web" } } },
  ])("an object that is no Ingress: $object", ({ object }) => {
    expect(refusalOf(webhook().ask(review(object)))).not.toBe("")
  })
})

describe("an Ingress that is being deleted, and is served until its finalizers have gone,", () => {
  const deletionTimestamp = "2026-01-31T12:00:00Z"
  const oldObject = submitted(ingress("shop/web", shop), { finalizers: ["x.test/y"], deletionTimestamp })
  const edit = (object: Json) =>
    refusalOf(
      webhook().ask(review(submitted(object, { deletionTimestamp }), { operation: "UPDATE", oldObject })),
    )

  test.each([
    ["an annotation", ingress("shop/web", shop, { "server-snippet": "x" }), "server-snippet"],
    ["a host", ingress("shop/web", "sh_op.test/ → web:80"), "spec.rules[0].host"],
    ["a path", ingress("shop/web", "shop.test/[a] → web:80"), "spec.rules[0].http.paths[0].path"],
  ])("cannot get %s that a new one could not have", (_, object, field) => {
    expect(edit(object)).toContain(field)
  })

  test("is checked whatever it replaces", () => {
    const broken = submitted(ingress("shop/web", shop, { "proxy-body-size": "abc" }), { deletionTimestamp })
    expect(refusalOf(webhook().ask(review(broken)))).toContain("proxy-body-size")
  })
})

describe("hosts of other namespaces are refused", () => {
  const hosts = { "admission-hosts": "shop: shop.test *.shop.test" }
  const rules = { ...hosts, "admission-hosts": `${hosts["admission-hosts"]}; blog: blog.test` }
  const own = "blog.test/ → web:80"

  test.each([
    ["a rule", ingress("blog/web", [own, "shop.test/ → web:80"]), "spec.rules[1].host"],
    ["a rule without host", ingress("blog/web", [own, "/ → web:80"]), "spec.rules[1].host"],
    ["a default backend", ingress("blog/web", "* → web:80"), "spec.defaultBackend: every host"],
    [
      "the default backend of a canary",
      ingress("blog/web", [own, "* → web:80"], { canary: "true" }),
      "spec.defaultBackend: every host",
    ],
    ["a canary", ingress("blog/web", "shop.test/ → web:80", { canary: "true" }), "spec.rules[0].host"],
    ["an alias", ingress("blog/web", own, { "server-alias": "x.blog.test, A.Shop.test" }), "server-alias"],
    ["a redirect between www", ingress("blog/web", own, { "from-to-www-redirect": "true" }), "www.blog.test"],
  ])("by %s", (_, object, says) => {
    const refusal = refusalOf(webhook({ settings: rules }).ask(review(submitted(object))))
    expect(refusal).toContain(says)
    expect(refusal).toContain("is not for namespace blog")
  })

  test("but not what its own rules get by default", () => {
    const object = ingress("blog/web", [own, "* → web:80"])
    expect(refusalOf(webhook({ settings: rules }).ask(review(submitted(object))))).toBe("")
  })
})

describe("may be switched off:", () => {
  test("the search for attacks", () => {
    expect(refusalOf(asked({ inspects: false }, "shop/web", "shop.test/root/a; ~→ web:80"))).toBe("")
  })

  test("the check of path types, which still warns", () => {
    const world = { settings: { "strict-validate-path-type": "false" } }
    const answer = asked(world, "shop/web", "shop.test/[a] → web:80")
    expect(refusalOf(answer)).toBe("")
    expect(warningsOf(answer).join()).toContain('path "/[a]" cannot be used with pathType Prefix')
  })

  test.each([
    ["by default", {}],
    ["with raw text allowed", { "allow-snippet-annotations": "true", "annotations-risk-level": "Critical" }],
  ])("snippets that wick reads itself are let in %s", (_, settings) => {
    const world = { settings }
    const answer = asked(world, "shop/web", shop, { "server-snippet": "gzip on;" })
    expect(refusalOf(answer)).toBe("")
    const idle = asked(world, "shop/web", shop, { "server-snippet": "client_body_temp_path /tmp;" })
    expect(warningsOf(idle).join()).toContain(
      'Cannot use directive "client_body_temp_path" of annotation "server-snippet" (line 1, column 1)',
    )
    const guarding = asked(world, "shop/web", shop, { "server-snippet": "\nroot /var/www;" })
    expect(refusalOf(guarding)).toContain(
      'Cannot use directive "root" of annotation "server-snippet" (line 2, column 1)',
    )
  })
})

describe("warns of", () => {
  test.each([
    [
      "deprecated annotations",
      { "enable-influxdb": "true" },
      `annotation ${prefix}/enable-influxdb is deprecated`,
    ],
    [
      "deprecated ones that have a successor",
      { "secure-verify-ca-secret": "ca" },
      `annotation ${prefix}/secure-verify-ca-secret is deprecated: write "proxy-ssl-secret"`,
    ],
    [
      "unknown ones, with the nearest name",
      { "proxy-body-sise": "8m" },
      'Annotation "proxy-body-sise" is unknown: did you mean "proxy-body-size"',
    ],
    [
      "values without effect",
      { "canary-weight": "10" },
      'Annotation "canary-weight" needs annotation "canary"',
    ],
  ] as const)("%s", (_, annotations, sentence) => {
    const answer = asked({}, "shop/web", shop, annotations)
    expect(refusalOf(answer)).toBe("")
    expect(warningsOf(answer)).toHaveLength(1)
    expect(warningsOf(answer)[0]).toContain(sentence)
  })

  test("the deprecated ones of other controllers' Ingresses, too", () => {
    const answer = asked({ isOurs: () => false }, "shop/web", shop, { "enable-influxdb": "true" })
    expect(warningsOf(answer)).toHaveLength(1)
  })

  test("what ingress-nginx does differently, by the name that docs/differences.md and lint know", () => {
    const annotations = { "enable-cors": "true", "cors-allow-origin": "https://page.test" }
    const warnings = warningsOf(asked({}, "shop/web", shop, annotations))
    expect(warnings[0]).toMatch(
      /^Not as in ingress-nginx \[cors-allow-origin-anchored\] The origins of cors-allow-origin .+\. Now: .+\. Before: /,
    )
    expect(warningsOf(asked({}, "shop/web", shop, { "enable-cors": "true" }))).toEqual([])
  })

  test("differences of what somebody else has written, or nobody so far, in no Ingress", () => {
    const settings = { "ignore-invalid-headers": "false", "load-balance": "ewma" }
    expect(warningsOf(asked({ settings }, "shop/web", shop, { "service-upstream": "true" }))).toEqual([])
  })

  test("no more than an API server takes", () => {
    const annotations = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`unknown-${at}-${"x".repeat(200)}`, "1"]),
    )
    const warnings = warningsOf(asked({}, "shop/web", shop, annotations))
    expect(warnings).toHaveLength(16)
    for (const warning of warnings) expect(warning.length).toBeLessThanOrEqual(256)
  })
})

test("what is counted: what was let in after all checks, and what was refused for annotations or paths", () => {
  const { ask, reports } = webhook({ others: [ingress("other/web", shop)] })
  ask(review(submitted(ingress("shop/good", "good.test/ → web:80"))))
  ask(review(submitted(ingress("shop/taken", shop))))
  ask(review(submitted(ingress("shop/bad", "bad.test/ → web:80", { "proxy-body-size": "abc" }))))
  ask(review(submitted(ingress("shop/pattern", "bad.test/[a] → web:80"))))
  expect(reports.map(({ ingress: { name }, outcome }) => [name, outcome])).toEqual([
    ["good", "accepted"],
    ["taken", "refused"],
    ["bad", "refused"],
  ])
  expect(reports[0]).toMatchObject({ ingresses: 1, ingress: { namespace: "shop" } })
})
