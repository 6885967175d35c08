import { parseSettings } from "../../../../../controller/core/options/configmap.ts"
import { Translator } from "../../../../../controller/core/translate/translate.ts"
import { type Facts, noFacts } from "../../../../../controller/model/facts.ts"
import type { RuleSetState } from "../../../../../controller/model/rule-set.ts"
import { ingress, meta, options, service, slice, snapshot } from "../../../../../harness/objects.ts"

export type Said = Readonly<Record<string, string>>

export const prefix = "nginx.ingress.kubernetes.io"

export interface World {
  readonly annotations?: Said
  readonly keys?: Said
  readonly objects?: readonly { readonly name: string; readonly data: Said }[]
  readonly states?: Readonly<Record<string, RuleSetState>>
}

/** What is made of one Ingress, with its rule set as far as it is known. */
export function translated({ annotations = {}, keys = {}, objects = [], states }: World) {
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

export const own = "SecRuleEngine On"
export const on = { "enable-modsecurity": "true" }
