// Every query of the dashboards, asked of a real Prometheus that scrapes a wick under traffic: none is empty that should not be.
import { afterAll, beforeAll, expect, test } from "vitest"
import { until } from "../support/until.ts"
import { all, type Chosen, emptyPanels, filled, valuesOf } from "./answers.ts"
import { Monitored, pod } from "./monitored.ts"
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
async function choose(variables: readonly Variable[], wanted: Chosen): Promise<Chosen> {
  const chosen: Record<string, string> = { ...all(variables) }
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
