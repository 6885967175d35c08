import { describe, expect, test } from "vitest"
import { AnnotatedRoutes } from "../../../../../controller/core/ingress/annotated-routes.ts"
import { defaultSettings, parseSettings } from "../../../../../controller/core/options/configmap.ts"
import { Translator } from "../../../../../controller/core/translate/translate.ts"
import type { Facts } from "../../../../../controller/model/facts.ts"
import { noFacts } from "../../../../../controller/model/facts.ts"
import type { RuleSetPart, RuleSetState } from "../../../../../controller/model/rule-set.ts"
import { ingress, meta, options, service, slice, snapshot } from "../../../../../harness/objects.ts"

type Said = Readonly<Record<string, string>>

const prefix = "nginx.ingress.kubernetes.io"

interface World {
  readonly annotations?: Said
  readonly keys?: Said
  readonly objects?: readonly { readonly name: string; readonly data: Said }[]
  readonly states?: Readonly<Record<string, RuleSetState>>
}

function translated({ annotations = {}, keys = {}, objects = [], states }: World) {
  const { settings } = parseSettings({ kind: "ConfigMap", meta: meta("nginx/settings"), data: keys })
  const one = ingress("shop/app", "app.test/ → app:80", annotations)
  const world = snapshot(one, service("shop/app", "http:80"), slice("shop/app", ["10.0.0.1"], "http:8080"))
  const configMaps = new Map(
    objects.map(({ name, data }) => [name, { kind: "ConfigMap" as const, meta: meta(name), data }]),
  )
  const facts: Facts = { ...noFacts, ...(states && { ruleSets: new Map(Object.entries(states)) }) }
  const translator = new Translator(options)
  const input = { ...world, configMaps }
  const wanted = translator.wantedFacts(input, facts, settings)
  const { model, problems } = translator.translate(input, facts, settings)
  const hosts = model.live.hosts.find(({ host }) => host === "app.test")?.routes ?? []
  const route = hosts[0]
  return {
    hosts,
    route,
    problems: problems.map(({ code, message, field }) => ({ code, message, field })),
    wanted: wanted.ruleSets,
  }
}

/** The parts of the rule set, with short names for what wick has itself; undefined: no rules look at requests. */
function parts(world: World): readonly string[] | undefined {
  const { route, wanted } = translated(world)
  const [first] = wanted
  if (first === undefined || route?.status !== undefined)
    return route?.status === undefined ? undefined : [`${route.status}`]
  expect(route?.waf).toMatchObject({ owner: "shop/app", rules: first.set.digest })
  const { parts } = JSON.parse(first.set.bytes) as { parts: readonly RuleSetPart[] }
  return parts.map((part) =>
    "file" in part ? part.file.replace("/etc/wick/modsecurity/", "<") : part.text.trim(),
  )
}

const off = "SecAuditEngine Off"
const limits = [
  "SecPcreMatchLimit 100000",
  "SecPcreMatchLimitRecursion 100000",
  "SecRequestBodyLimit 134217728",
  "SecRequestBodyLimitAction Reject",
  "SecResponseBodyLimit 16777216",
  "SecResponseBodyLimitAction ProcessPartial",
].join("\n\n")
const recommended = "<recommended.conf"
const scores = ["blocking", "detection"]
  .map(
    (kind, nth) =>
      `SecRule &TX:${kind.toUpperCase()}_INBOUND_ANOMALY_SCORE "@eq 0" "id:2230000${nth + 1},phase:5,pass,t:none,nolog,noauditlog,setvar:'tx.${kind}_inbound_anomaly_score=0'"`,
  )
  .join("\n\n")
const crs = [scores, "<crs-4.22.0/nginx-modsecurity.conf"]
const own = "SecRuleEngine On"
const global = "SecRuleEngine DetectionOnly"
const on = { "enable-modsecurity": "true" }

describe("which rules look at requests", () => {
  test.each<[string, Said, Said, readonly string[] | undefined]>([
    ["nothing says so", {}, {}, undefined],
    ["the Ingress switches it off", { "enable-modsecurity": "false" }, {}, undefined],
    [
      "the Ingress, against the ConfigMap",
      { "enable-modsecurity": "false", "modsecurity-snippet": own },
      on,
      undefined,
    ],
    ["only the Ingress: the recommended ones", on, {}, [off, recommended, limits]],
    ["only the ConfigMap: the recommended ones", {}, on, [off, recommended, limits]],
    ["both: the recommended ones once", on, on, [off, recommended, limits]],
    ["a snippet takes their place", { ...on, "modsecurity-snippet": own }, {}, [off, own, limits]],
    [
      "a snippet that says nothing does not",
      { ...on, "modsecurity-snippet": " \n# no\n" },
      {},
      [off, recommended, limits],
    ],
    [
      "CRS of the Ingress",
      { ...on, "enable-owasp-core-rules": "true" },
      {},
      [off, recommended, ...crs, limits],
    ],
    ["CRS without ModSecurity", { "enable-owasp-core-rules": "true" }, {}, undefined],
    [
      "a snippet and CRS",
      { ...on, "modsecurity-snippet": own, "enable-owasp-core-rules": "true" },
      {},
      [off, own, ...crs, limits],
    ],
    [
      "what an Ingress says comes before what holds for all",
      { "modsecurity-snippet": own },
      on,
      [off, own, recommended, limits],
    ],
    [
      "CRS of the Ingress comes before, too",
      { "enable-owasp-core-rules": "true" },
      on,
      [off, ...crs, recommended, limits],
    ],
    [
      "CRS of the ConfigMap",
      {},
      { ...on, "enable-owasp-modsecurity-crs": "true" },
      [off, recommended, ...crs, limits],
    ],
    [
      "CRS of both once",
      { "enable-owasp-core-rules": "true" },
      { ...on, "enable-owasp-modsecurity-crs": "true" },
      [off, recommended, ...crs, limits],
    ],
    [
      "CRS of the ConfigMap needs its ModSecurity",
      on,
      { "enable-owasp-modsecurity-crs": "true" },
      [off, recommended, limits],
    ],
    [
      "a snippet of the ConfigMap takes the place of the recommended ones",
      {},
      { ...on, "modsecurity-snippet": global },
      [off, global, limits],
    ],
    [
      "both have snippets: that of the Ingress comes first",
      { "modsecurity-snippet": own },
      { ...on, "modsecurity-snippet": global },
      [off, own, global, limits],
    ],
    [
      "a snippet of the ConfigMap alone does nothing",
      on,
      { "modsecurity-snippet": global },
      [off, recommended, limits],
    ],
    ["a snippet without ModSecurity", { "modsecurity-snippet": own }, {}, undefined],
    [
      "a snippet of an Ingress that switches it off",
      { "enable-modsecurity": "false", "modsecurity-snippet": own, "enable-owasp-core-rules": "true" },
      { ...on, "modsecurity-snippet": global, "enable-owasp-modsecurity-crs": "true" },
      undefined,
    ],
    ["both switch it off", { "enable-modsecurity": "false" }, { "enable-modsecurity": "false" }, undefined],
    [
      "Booleans of Go",
      { "enable-modsecurity": "1", "enable-owasp-core-rules": "T" },
      {},
      [off, recommended, ...crs, limits],
    ],
    [
      "CRS that the Ingress does without and the ConfigMap has is there",
      { "enable-owasp-core-rules": "false" },
      { ...on, "enable-owasp-modsecurity-crs": "true" },
      [off, recommended, ...crs, limits],
    ],
    [
      "everything, of both",
      { ...on, "modsecurity-snippet": own, "enable-owasp-core-rules": "true" },
      { ...on, "modsecurity-snippet": global, "enable-owasp-modsecurity-crs": "true" },
      [off, own, global, ...crs, limits],
    ],
    [
      "another version of CRS",
      { ...on, "enable-owasp-core-rules": "true" },
      { "modsecurity-crs-version": "4.25.0" },
      [off, recommended, scores, "<crs-4.25.0/nginx-modsecurity.conf", limits],
    ],
    [
      "files that the snippet includes are not there twice",
      {
        ...on,
        "enable-owasp-core-rules": "true",
        "modsecurity-snippet": `Include /etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf\n${own}`,
      },
      {},
      [off, own, ...crs, limits],
    ],
    [
      "an audit log",
      on,
      { "modsecurity-audit-log": "/var/log/audit" },
      [
        "SecAuditLogType Parallel\n\nSecAuditLog /dev/null\n\nSecAuditLogStorageDir /var/log/audit\n\nSecAuditLogDirMode 0750\n\nSecAuditLogFileMode 0640",
        recommended,
        limits,
      ],
    ],
    [
      "a configuration-snippet",
      { "configuration-snippet": `modsecurity on; modsecurity_rules '${own}';` },
      {},
      [off, own, limits],
    ],
    [
      "a configuration-snippet against the ConfigMap",
      { "configuration-snippet": "modsecurity off;" },
      on,
      undefined,
    ],
    [
      "annotations come before what a configuration-snippet says",
      {
        ...on,
        "modsecurity-snippet": own,
        "configuration-snippet": `modsecurity off; modsecurity_rules '${global}';`,
      },
      {},
      [off, own, global, limits],
    ],
    [
      "rules of a configuration-snippet where nothing switches them on",
      { "configuration-snippet": `modsecurity_rules '${own}';` },
      {},
      undefined,
    ],
    [
      "the same where the ConfigMap does",
      { "configuration-snippet": `modsecurity_rules '${own}';` },
      on,
      [off, own, recommended, limits],
    ],
    [
      "files of the reference's image in a configuration-snippet",
      {
        "configuration-snippet":
          "modsecurity on; modsecurity_rules_file /etc/nginx/owasp-modsecurity-crs/nginx-modsecurity.conf;",
      },
      {},
      [off, ...crs, limits],
    ],
    [
      "a location-snippet of the ConfigMap, for all",
      {},
      { "location-snippet": `modsecurity on; modsecurity_rules '${own}';` },
      [off, own, limits],
    ],
    [
      "a rule of a configuration-snippet that is refused closes",
      { "configuration-snippet": "modsecurity on; modsecurity_rules 'SecRuleScript x';" },
      {},
      ["503"],
    ],
    ["a value that is none closes", { "enable-modsecurity": "yes" }, {}, ["503"]],
    ["a rule that is refused closes", { ...on, "modsecurity-snippet": "SecRuleScript x" }, {}, ["503"]],
    ["CRS that is neither on nor off closes", { ...on, "enable-owasp-core-rules": "yes" }, {}, ["503"]],
    ["a key that is none closes", {}, { "enable-modsecurity": "yes" }, ["503"]],
    [
      "but not where the Ingress switches it off",
      { "enable-modsecurity": "false" },
      { "enable-modsecurity": "yes" },
      undefined,
    ],
    [
      "a snippet of the ConfigMap that is refused closes",
      {},
      { ...on, "modsecurity-snippet": "SecTmpDir /" },
      ["503"],
    ],
  ])("%s", (_, annotations, keys, expected) => {
    expect(parts({ annotations, keys })).toEqual(expected)
  })
})

test.each<[string, Said, Said]>([
  ["nobody", {}, {}],
  ["the Ingress", { "enable-modsecurity": "false" }, on],
])("what does nothing because %s has ModSecurity off is told", (_, annotations, keys) => {
  const idle = {
    "modsecurity-snippet": own,
    "enable-owasp-core-rules": "true",
    "modsecurity-transaction-id": "$request_id",
  }
  const { problems } = translated({ annotations: { ...idle, ...annotations }, keys })
  expect(problems.map(({ code, field }) => [code, field]).toSorted()).toEqual(
    Object.keys(idle)
      .map((name) => ["annotation-idle", `metadata.annotations["${prefix}/${name}"]`])
      .toSorted(),
  )
})

test("rules of a ConfigMap stand behind the snippet, each key by itself", () => {
  const annotations = { ...on, "modsecurity-snippet": own, "wick.dev/modsecurity-rules": "rules" }
  const objects = [{ name: "shop/rules", data: { b: "SecMarker B", a: "SecMarker A" } }]
  expect(parts({ annotations, objects })).toEqual([off, own, "SecMarker A", "SecMarker B", limits])
  expect(parts({ annotations })).toEqual(["503"])
  const elsewhere = { ...annotations, "wick.dev/modsecurity-rules": "other/rules" }
  const others = [{ name: "other/rules", data: { a: "SecMarker A" } }]
  expect(parts({ annotations: elsewhere, objects: others })).toEqual(["503"])
  expect(
    parts({ annotations: elsewhere, objects: others, keys: { "allow-cross-namespace-resources": "true" } }),
  ).toEqual([...[off, own, "SecMarker A", limits]])
})

test("Ingresses with equal rules have one set, however they are written", () => {
  const digest = (snippet: string) =>
    translated({ annotations: { ...on, "modsecurity-snippet": snippet } }).wanted[0]?.set.digest
  expect(digest("SecRuleEngine   On\n\n# a note\nSecMarker A")).toBe(
    digest("SecRuleEngine On\nSecMarker A\n"),
  )
  expect(digest("SecRuleEngine On")).not.toBe(digest("SecRuleEngine Off"))
})

test("what logs call a request", () => {
  const of = (id: string) => translated({ annotations: { ...on, "modsecurity-transaction-id": id } })
  expect(of("shop-$request_id").route?.waf?.transactionId).toBe("shop-$request_id")
  expect(of("$no_such").route?.waf).not.toHaveProperty("transactionId")
  expect(of("a b").problems.map(({ code }) => code)).toEqual(["annotation-refused"])
})

test("what a refused rule is told with", () => {
  const annotations = {
    ...on,
    "modsecurity-snippet": 'SecRuleEngine On\nSecRule ARGS "@pmFromFile /etc/passwd" "id:1"',
  }
  expect(translated({ annotations }).problems).toEqual([
    {
      code: "modsecurity-rules-refused",
      field: `metadata.annotations["${prefix}/modsecurity-snippet"]`,
      message:
        'Cannot use the rules of annotation "modsecurity-snippet": in line 2, "SecRule": operator @pmFromFile: it reads a file of nginx\'s machine, or asks another one; write the words themselves behind @pm; requests get 503',
    },
  ])
})

describe("what has been found out about a set", () => {
  const annotations = { ...on, "modsecurity-snippet": `# note\n${own}\nSecMarker A` }
  const { wanted } = translated({ annotations })
  const digest = wanted[0]?.set.digest ?? ""
  const former = "f".repeat(64)
  const of = (state: RuleSetState | undefined, keys: Said = {}) =>
    translated({ annotations, keys, states: state ? { "shop/app": state } : {} })

  test("nothing yet: the Ingress is closed, and nothing is wrong", () => {
    const { route, problems } = of(undefined)
    expect(route).toMatchObject({ status: 503 })
    expect(route).not.toHaveProperty("waf")
    expect(problems).toEqual([])
  })

  test("it may be used", () => {
    expect(of({ wanted: digest, usable: digest }).route?.waf).toEqual({ owner: "shop/app", rules: digest })
  })

  test("it is still being checked: the one before it is used", () => {
    expect(of({ wanted: digest, usable: former }).route?.waf?.rules).toBe(former)
    expect(of({ wanted: former, usable: former }).route?.waf?.rules).toBe(former)
  })

  test("libmodsecurity does not take it: the Ingress is closed, with its words and the line", () => {
    const trouble = { kind: "refused", reason: "Rule id: 1 is duplicated", part: 1, line: 3 } as const
    const { route, problems } = of({ wanted: digest, trouble })
    expect(route?.status).toBe(503)
    expect(problems).toEqual([
      {
        code: "modsecurity-rules-invalid",
        field: `metadata.annotations["${prefix}/modsecurity-snippet"]`,
        message:
          'Cannot use the rules of annotation "modsecurity-snippet", line 3: libmodsecurity says Rule id: 1 is duplicated; requests get 503',
      },
    ])
  })

  test("of a configuration-snippet it is said there", () => {
    const snippet = { "configuration-snippet": `modsecurity on; modsecurity_rules '${own}';` }
    const wanted = translated({ annotations: snippet }).wanted[0]?.set.digest ?? ""
    const trouble = { kind: "refused", reason: "it is bad", part: 1 } as const
    const { problems } = translated({ annotations: snippet, states: { "shop/app": { wanted, trouble } } })
    expect(problems.map(({ field, message }) => [field, message])).toEqual([
      [
        `metadata.annotations["${prefix}/configuration-snippet"]`,
        'Cannot use the rules of annotation "configuration-snippet": libmodsecurity says it is bad; requests get 503',
      ],
    ])
  })

  test("without a line where it does not say one", () => {
    const trouble = { kind: "refused", reason: "rule id: 1 is duplicated", part: 1 } as const
    expect(of({ wanted: digest, trouble }).problems[0]?.message).toBe(
      'Cannot use the rules of annotation "modsecurity-snippet": libmodsecurity says rule id: 1 is duplicated; requests get 503',
    )
  })

  test("two texts have a rule of one id: the later one is named", () => {
    const rule = (id: number) => `SecRule ARGS "@rx a" "id:${id},phase:1,deny"`
    const annotations = { "enable-modsecurity": "true", "modsecurity-snippet": `${rule(8)}\n${rule(7)}` }
    const settings = { "enable-modsecurity": "true", "modsecurity-snippet": rule(9) }
    const { wanted } = translated({ annotations, keys: settings })
    const trouble = { kind: "refused", reason: "Rule id: 7 is duplicated", part: 3 } as const
    const states = { "shop/app": { wanted: wanted[0]?.set.digest ?? "", trouble } }
    expect(translated({ annotations, keys: settings, states }).problems[0]?.message).toBe(
      'Cannot use the rules of annotation "modsecurity-snippet", line 2: libmodsecurity says Rule id: 7 is duplicated; requests get 503',
    )
  })

  test("what was found of another set says nothing", () => {
    const trouble = { kind: "refused", reason: "it is bad" } as const
    expect(of({ wanted: former, trouble }).problems).toEqual([])
  })

  test("there is nothing that could use it: closed, or open where the operator says so", () => {
    const trouble = { kind: "absent", reason: "there is no library" } as const
    const shut = of({ wanted: digest, trouble })
    expect(shut.route?.status).toBe(503)
    expect(shut.problems.map(({ code }) => code)).toEqual(["modsecurity-absent"])
    const open = of({ wanted: digest, trouble }, { "modsecurity-fallback": "open" })
    expect(open.route?.status).toBeUndefined()
    expect(open.route).not.toHaveProperty("waf")
    expect(open.problems.map(({ code }) => code)).toEqual(["modsecurity-open"])
    const kept = of({ wanted: digest, usable: former, trouble })
    expect(kept.route?.waf?.rules).toBe(former)
    expect(kept.problems.map(({ code }) => code)).toEqual(["modsecurity-absent"])
  })

  test("a worker lets requests in as well where the operator says so", () => {
    const { route } = of({ wanted: digest, usable: digest }, { "modsecurity-fallback": "open" })
    expect(route?.waf?.failsOpen).toBe(true)
  })
})

test("no text of a user is in what is posted", () => {
  const annotations = { ...on, "modsecurity-snippet": "SecAction \"id:1,msg:'; evil } ../'\"" }
  expect(JSON.stringify(translated({ annotations }).route)).not.toContain("evil")
})

test("rules of the ConfigMap look at location blocks of server-snippets, too, whatever the Ingress says of its paths", () => {
  const annotations = {
    "enable-modsecurity": "false",
    "server-snippet": "location /inner { proxy_pass http://app.shop.svc; }",
  }
  const { hosts, wanted } = translated({ annotations, keys: on })
  const inner = hosts.find(({ path }) => path === "/inner")
  expect(inner?.waf).toEqual({ owner: "shop/app/server", rules: wanted[0]?.set.digest })
  expect(hosts.find(({ path }) => path === "/")).not.toHaveProperty("waf")
  const states = {
    "shop/app/server": { wanted: wanted[0]?.set.digest ?? "", trouble: { kind: "absent", reason: "no" } },
  } as const
  const shut = translated({ annotations, keys: on, states })
  expect(shut.hosts.find(({ path }) => path === "/inner")?.status).toBe(503)
  expect(shut.problems.map(({ code }) => code)).toEqual(["modsecurity-absent"])
})

test("rules of a route of the Gateway API are in force when they have been checked, as those of an Ingress", () => {
  const reader = new AnnotatedRoutes({ settings: defaultSettings, options })
  const route = {
    kind: "HTTPRoute",
    meta: meta("shop/cart", { [`${options.annotationsPrefix}/enable-modsecurity`]: "true" }),
  }
  const nothing = { configMaps: new Map(), secrets: new Map(), tlsSecrets: new Map(), policies: new Map() }
  const unchecked = reader.of(route, { ...nothing, ruleSets: new Map() }).proxying
  expect(unchecked).toMatchObject({ isDenied: true, ruleSet: { owner: "shop/httproute/cart" } })
  expect(unchecked).not.toHaveProperty("waf")
  const rules = unchecked.ruleSet?.set.digest ?? ""
  const ruleSets = new Map([["shop/httproute/cart", { wanted: rules, usable: rules }]])
  const { proxying } = reader.of(route, { ...nothing, ruleSets })
  expect(proxying).toMatchObject({ isDenied: false, waf: { owner: "shop/httproute/cart", rules } })
})
