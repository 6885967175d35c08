import { describe, expect, test } from "vitest"
import type { RuleSetPart } from "../../../../../controller/model/rule-set.ts"
import { on, own, prefix, type Said, translated, type World } from "./translated-waf.ts"

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
const global = "SecRuleEngine DetectionOnly"

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
