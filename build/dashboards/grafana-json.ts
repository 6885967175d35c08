// Grafana's own types, as they stand in JSON: what is printed is held against them by the compiler. Only types come from the package.

import type * as grafana from "@grafana/schema"
import type * as heatmap from "@grafana/schema/dist/esm/raw/composable/heatmap/panelcfg/x/HeatmapPanelCfg_types.gen"
import type * as stat from "@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen"
import type * as table from "@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen"
import type * as timeseries from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen"

/** The same with the names of enumerations' members as strings. */
type Json<T> = T extends string
  ? `${T}`
  : T extends (infer Element)[]
    ? readonly Json<Element>[]
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T

/** What Grafana itself writes for data sources of Prometheus, and its types leave to the data source. */
interface Prometheus {
  readonly expr: string
}

export type DashboardJson = Json<Omit<grafana.Dashboard, "annotations" | "panels" | "templating">> & {
  readonly annotations: { readonly list: readonly AnnotationJson[] }
  readonly templating: { readonly list: readonly VariableJson[] }
  readonly panels: readonly (PanelJson | Json<grafana.RowPanel>)[]
}

export type AnnotationJson = Json<grafana.AnnotationQuery> &
  Prometheus & {
    readonly useValueForTime: boolean
    readonly titleFormat: string
    readonly textFormat: string
  }

export type VariableJson = Json<grafana.VariableModel> & { readonly definition?: string }

export type PanelJson = Json<Omit<grafana.Panel, "fieldConfig" | "options" | "targets">> & {
  readonly fieldConfig: {
    readonly defaults: Json<Omit<grafana.FieldConfig, "custom">> & { readonly custom: CurvesJson }
    readonly overrides: readonly []
  }
  readonly options: OptionsJson
  readonly targets: readonly TargetJson[]
}

/** How curves are drawn; of other kinds of panels nothing is said. */
export type CurvesJson = Json<Partial<timeseries.FieldConfig>>

export type OptionsJson =
  | Json<timeseries.Options>
  | Json<Partial<stat.Options>>
  | Json<Partial<table.Options>>
  | Json<Partial<heatmap.Options>>

type TargetJson = Json<grafana.DataQuery> &
  Prometheus & {
    readonly legendFormat: string
    readonly format?: "table" | "heatmap"
    readonly instant?: boolean
    readonly range?: boolean
  }

export type ThresholdsJson = Json<NonNullable<grafana.FieldConfig["thresholds"]>>
export type TransformationJson = Json<grafana.DataTransformerConfig>
