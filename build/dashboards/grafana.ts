import type { Dashboard, Panel, Row, Variable } from "./dashboard.ts"
import type {
  AnnotationJson,
  CurvesJson,
  DashboardJson,
  OptionsJson,
  PanelJson,
  ThresholdsJson,
  TransformationJson,
  VariableJson,
} from "./grafana-json.ts"
import { metric, ours } from "./queries.ts"

// Prints a dashboard as Grafana 10.4 and newer take it. Source: Grafana, "Dashboard JSON model".

/** Columns of Grafana's grid. */
const columns = 24
const source = { type: "prometheus", uid: "$datasource" }

const numberHeight = 4

/** Tables and curves are higher than numbers. */
const heightOf = ({ panels }: Row) => (panels.every(({ kind }) => kind === "number") ? numberHeight : 8)

export function grafanaJson(dashboard: Dashboard): string {
  const { name, title, description, variables, rows } = dashboard
  const json: DashboardJson = {
    uid: `wick-${name}`,
    title,
    description,
    tags: ["wick", "ingress"],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: "30s",
    time: { from: "now-1h", to: "now" },
    timezone: "browser",
    graphTooltip: 1,
    links: [
      {
        type: "dashboards",
        title: "wick",
        tags: ["wick"],
        asDropdown: true,
        keepTime: true,
        includeVars: true,
        targetBlank: false,
        icon: "external link",
        tooltip: "",
      },
    ],
    annotations: { list: [reloads] },
    templating: { list: [dataSource, namespaceLabel, ...variables.map(variableJson)] },
    panels: panelsOf(rows),
  }
  return `${JSON.stringify(json, undefined, 2)}\n`
}

/** A mark at each reload: the metric's value is its time. */
const reloads: AnnotationJson = {
  name: "Reloads",
  datasource: source,
  enable: true,
  iconColor: "blue",
  expr: `${metric}_config_last_reload_successful_timestamp_seconds{${ours}} * 1000`,
  useValueForTime: true,
  titleFormat: "Reload",
  textFormat: "{{controller_pod}}",
}

const dataSource: VariableJson = {
  type: "datasource",
  name: "datasource",
  label: "Data source",
  query: "prometheus",
}

const namespaceLabels = ["exported_namespace", "namespace"]

const namespaceLabel: VariableJson = {
  type: "custom",
  name: "namespace_label",
  label: "Label of an Ingress's namespace",
  description:
    "exported_namespace where targets have a label namespace of their own, as with the Prometheus operator",
  query: namespaceLabels.join(),
  current: option(namespaceLabels[0] ?? "", true),
  options: namespaceLabels.map((label, at) => option(label, at === 0)),
}

function option(value: string, selected: boolean): NonNullable<VariableJson["options"]>[number] {
  return { text: value, value, selected }
}

function variableJson({ name, title, label, series }: Variable): VariableJson {
  const definition = `label_values(${series}, ${label})`
  return {
    type: "query",
    name,
    label: title,
    datasource: source,
    definition,
    query: { query: definition, refId: name },
    includeAll: true,
    allValue: ".*",
    multi: true,
    current: { text: ["All"], value: ["$__all"] },
    refresh: 2,
    sort: 1,
  }
}

function panelsOf(rows: readonly Row[]): DashboardJson["panels"] {
  const all: DashboardJson["panels"][number][] = []
  let y = 0
  for (const row of rows) {
    const h = heightOf(row)
    all.push({
      type: "row",
      title: row.title,
      id: all.length + 1,
      collapsed: false,
      gridPos: { h: 1, w: columns, x: 0, y },
      panels: [],
    })
    y += 1
    let x = 0
    for (const panel of row.panels) {
      const w = panel.width ?? widthIn(row)
      if (x + w > columns) {
        x = 0
        y += h
      }
      all.push({ id: all.length + 1, gridPos: { h, w, x, y }, ...panelJson(panel) })
      x += w
    }
    y += h
  }
  return all
}

/** More than four curves side by side could not be read. */
function widthIn(row: Row): number {
  const isNumbers = heightOf(row) === numberHeight
  const count = row.panels.filter(({ width }) => width === undefined).length
  return columns / (count > 4 && !isNumbers ? 3 : count)
}

type Kind = NonNullable<Panel["kind"]>

const types: Readonly<Record<Kind, string>> = {
  lines: "timeseries",
  stacked: "timeseries",
  number: "stat",
  table: "table",
  heatmap: "heatmap",
}

function panelJson({ title, says, kind = "lines", unit = "short", queries, none, levels }: Panel): PanelJson {
  const custom: CurvesJson = {
    ...(kind === "lines" && { fillOpacity: 10, showPoints: "never" }),
    ...(kind === "stacked" && {
      fillOpacity: 30,
      showPoints: "never",
      stacking: { mode: "normal", group: "A" },
    }),
  }
  return {
    type: types[kind],
    title,
    description: says,
    datasource: source,
    fieldConfig: {
      defaults: {
        unit,
        ...(none !== undefined && { noValue: none }),
        ...(levels && { thresholds: thresholdsOf(levels) }),
        ...(levels === undefined && kind === "number" && { color: { mode: "fixed", fixedColor: "text" } }),
        custom,
      },
      overrides: [],
    },
    options: optionsOf(kind, unit),
    targets: Object.entries(queries).map(([legendFormat, expr], at) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + at),
      datasource: source,
      expr,
      legendFormat,
      ...(kind === "table" && { format: "table", instant: true, range: false }),
      ...(kind === "heatmap" && { format: "heatmap" }),
    })),
    ...(kind === "table" && { transformations: [withoutTime(Object.keys(queries)[0] ?? "")] }),
  }
}

function thresholdsOf([warning, critical]: NonNullable<Panel["levels"]>): ThresholdsJson {
  const rises = warning <= critical
  const steps = rises
    ? [
        { color: "green", value: null },
        { color: "yellow", value: warning },
        { color: "red", value: critical },
      ]
    : [
        { color: "red", value: null },
        { color: "yellow", value: critical },
        { color: "green", value: warning },
      ]
  return { mode: "absolute", steps }
}

function withoutTime(column: string): TransformationJson {
  const renameByName = { Value: column, exported_namespace: "namespace", secret_name: "secret" }
  return { id: "organize", options: { excludeByName: { Time: true }, renameByName } }
}

/** Grafana's own scale of colors for heatmaps. */
const oranges = {
  mode: "scheme",
  scheme: "Oranges",
  steps: 64,
  reverse: false,
  exponent: 0.5,
  fill: "dark-orange",
} as const

function optionsOf(kind: Kind, unit: string): OptionsJson {
  switch (kind) {
    case "lines":
    case "stacked":
      return {
        legend: { displayMode: "list", placement: "bottom", showLegend: true, calcs: [] },
        tooltip: { mode: "multi", sort: "desc" },
      }
    case "number":
      return {
        colorMode: "value",
        graphMode: "area",
        reduceOptions: { calcs: ["lastNotNull"], fields: "", values: false },
      }
    case "table":
      return { showHeader: true, cellHeight: "sm" }
    case "heatmap":
      return { calculate: false, yAxis: { unit }, color: oranges, cellGap: 1 }
  }
  return kind satisfies never
}
