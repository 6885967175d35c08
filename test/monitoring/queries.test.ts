// Every query of the dashboards, asked of a real Prometheus that scrapes a wick under traffic: none is empty that should not be.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { alerts } from "../../build/alerts/rules.ts"
import { dashboards } from "../../build/dashboards/files.ts"
import { ask } from "../../harness/http.ts"
import { root } from "../../harness/paths.ts"
import { until } from "../../harness/until.ts"
import { all, type Chosen, emptyPanels, filled, valuesOf, withGrafana } from "./answers.ts"
import { Monitored, pod } from "./monitored.ts"
import { empty, panelQueries, panelsOf } from "./panels.ts"
import { type PanelQuery, referenceQueries, referenceVariables, type Variable } from "./reference-queries.ts"

let monitored: Monitored
beforeAll(async () => {
  monitored = await Monitored.start()
})
afterAll(() => monitored[Symbol.asyncDispose]())

/** Waits until just those are empty that are said to be. */
async function untilAnswered(queries: readonly PanelQuery[], chosen: Chosen, when: "always" | "chosen") {
  const isEmpty = ({ empty }: PanelQuery) => empty?.when === "always" || empty?.when === when
  const wanted = queries.filter(isEmpty).map(({ panel }) => panel)
  let empty: readonly string[] = []
  const isSo = async () => {
    empty = await emptyPanels(monitored.prometheus, queries, chosen)
    return empty.join() === wanted.join()
  }
  await until("all panels to have something to show", isSo).catch((error: Error) => {
    throw new Error(`${error.message}; empty are: ${empty.join(", ")}`)
  })
}

/** One value of each variable. */
async function choose(
  variables: readonly Pick<Variable, "name" | "label" | "series">[],
  wanted: Chosen,
  given: Chosen = {},
): Promise<Chosen> {
  const chosen: Record<string, string> = { ...given, ...all(variables) }
  for (const variable of variables) {
    const value = wanted[variable.name] ?? ""
    const isThere = async () => (await valuesOf(monitored.prometheus, variable, chosen)).includes(value)
    await until(`${value} among the values of ${variable.name}`, isThere)
    chosen[variable.name] = value
  }
  return chosen
}

const reference = Object.entries(referenceQueries)

test.each(
  reference,
)("ingress-nginx's dashboard %s: every panel has something to show", async (_, queries) => {
  await untilAnswered(queries, all(referenceVariables), "always")
})

test("and so when one of each is chosen", async () => {
  const chosen = await choose(referenceVariables, {
    namespace: pod.namespace,
    controller_class: "k8s.io/ingress-nginx",
    controller: pod.name,
    exported_namespace: "shop",
    ingress: "cart",
  })
  for (const [, queries] of reference) await untilAnswered(queries, chosen, "chosen")
})

test("what they show is so", async () => {
  const show = async (panel: string) => {
    const query = reference.flatMap(([, queries]) => queries).find((one) => one.panel === panel)?.query ?? ""
    return monitored.prometheus.query(filled(query, all(referenceVariables)))
  }
  const [rate] = await show("Controller Success Rate")
  expect(rate?.value).toBeGreaterThan(0.2)
  expect(rate?.value).toBeLessThan(0.9)
  const ends = await show("Ingress Certificate Expiry")
  const days = Object.fromEntries(ends.map(({ labels, value }) => [labels.host, Math.round(value / 86_400)]))
  expect(days).toEqual({ _: 365, "shop.test": 90 })
})

const ours = dashboards.map((dashboard) => [dashboard.title, dashboard] as const)

test.each(ours)("%s: every panel has something to show", async (_, dashboard) => {
  await untilAnswered(
    panelsOf(dashboard).flatMap(panelQueries),
    withGrafana(all(dashboard.variables)),
    "always",
  )
})

test.each(
  ours,
)("%s: and so without labels of the Prometheus operator, when one of each is chosen", async (_, dashboard) => {
  const wanted = {
    class: "k8s.io/ingress-nginx",
    controller: pod.name,
    namespace: "shop",
    ingress: "cart",
  }
  const given = withGrafana({}, "namespace")
  const chosen = await choose(dashboard.variables, wanted, given)
  const needed = panelsOf(dashboard).filter(({ none }) => none === undefined)
  await untilAnswered(needed.flatMap(panelQueries), chosen, "chosen")
})

test("a panel that may be empty says so", () => {
  const silent = dashboards
    .flatMap(panelsOf)
    .filter(({ title, none }) => title in empty && none === undefined)
  expect(silent.map(({ title }) => title)).toEqual([])
})

/** Of every metric that a scrape knows, those without series too. */
async function declaredMetrics(): Promise<ReadonlySet<string>> {
  const { body } = await ask({ port: monitored.wick.healthPort }, { path: "/metrics" })
  return new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name))
}

test("docs/metrics.md says of every metric of ours what it is", async () => {
  const page = readFileSync(join(root, "docs/metrics.md"), "utf8")
  const families = [...page.matchAll(/`(wick_\w+_)…`/g)].map(([, family = ""]) => family)
  const ours = [...(await declaredMetrics())].filter((name) => name.startsWith("wick_"))
  const silent = ours.filter((name) => !page.includes(name) && !families.some((one) => name.startsWith(one)))
  expect(ours.length).toBeGreaterThan(20)
  expect(silent).toEqual([])
})

test("dashboards and alerts name metrics that there are", async () => {
  const declared = await declaredMetrics()
  const isDeclared = (name: string) =>
    declared.has(name) || declared.has(name.replace(/_(bucket|sum|count)$/, ""))
  const ofPanels = dashboards.flatMap(panelsOf).flatMap(({ queries }) => Object.values(queries))
  const all = [...ofPanels, ...alerts.map(({ expression }) => expression)].join("\n")
  const unknown = (all.match(/\b(nginx_ingress_controller|wick|process|nodejs)_\w+/g) ?? []).filter(
    (name) => !isDeclared(name),
  )
  expect(unknown).toEqual([])
})

test("of the alerts those hold that are about what is wrong here", async () => {
  let holding: readonly string[] = []
  const isSo = async () => {
    const answers = alerts.map(async ({ name, expression }) => {
      return (await monitored.prometheus.query(expression)).length > 0 ? [name] : []
    })
    holding = (await Promise.all(answers)).flat()
    return holding.join() === "WickServerErrors,WickNoBackend,WickPortFails,WickProblems"
  }
  await until("the alerts", isSo).catch((error: Error) => {
    throw new Error(`${error.message}; holding are: ${holding.join(", ")}`)
  })
})
