// What Grafana would trip over without a word: panels on top of each other, variables that are not there, addresses that are taken.
import { describe, expect, test } from "vitest"
import { dashboardFiles } from "../../../build/dashboards/files.ts"

interface GridPanel {
  readonly id: number
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}

interface Grafana {
  readonly uid: string
  readonly title: string
  readonly panels: readonly GridPanel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

const dashboards = Object.values(dashboardFiles()).map((text) => JSON.parse(text) as Grafana)

test("no two dashboards have one address or one title", () => {
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length)
  expect(new Set(dashboards.map(({ title }) => title)).size).toBe(dashboards.length)
})

describe.each(dashboards.map((dashboard) => [dashboard.title, dashboard] as const))("%s", (_, dashboard) => {
  const { panels, templating } = dashboard

  test("panels are beside each other, within 24 columns, each with an id of its own", () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(panels.filter(({ gridPos: { x, w } }) => !Number.isInteger(w) || w < 4 || x + w > 24)).toEqual([])
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  test("queries name variables that there are, and lists of values those before them", () => {
    const known = new Set(["__rate_interval"])
    const unknownIn = (text = "") =>
      [...text.matchAll(/\$(\w+)/g)].filter(([, name = ""]) => !known.has(name))
    for (const { name, definition } of templating.list) {
      expect(unknownIn(definition)).toEqual([])
      known.add(name)
    }
    const queries = panels.flatMap(({ targets = [] }) => targets)
    expect(queries.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
  })

  test("every panel says what it shows, and no two of a dashboard's are called alike", () => {
    const shown = panels.filter(({ targets }) => targets !== undefined)
    expect(shown.filter(({ description = "" }) => description.length < 3)).toEqual([])
    const titles = shown.map(({ title }) => title)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })
})
