// Rules of ModSecurity are in force when they have been checked: what holds until then, and where they are wrong.
import { describe, expect, test } from "vitest"
import { AnnotatedRoutes } from "../../../../../controller/core/ingress/annotated-routes.ts"
import { defaultSettings } from "../../../../../controller/core/options/configmap.ts"
import type { RuleSetState } from "../../../../../controller/model/rule-set.ts"
import { meta, options } from "../../../../../harness/objects.ts"
import { on, own, prefix, type Said, translated } from "./translated-waf.ts"

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
