// What a dashboard of ours is made of, without anything that only Grafana wants to know.

export interface Dashboard {
  /** of the file, and in Grafana's addresses */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly variables: readonly Variable[]
  readonly rows: readonly Row[]
}

/** Variables are lists of values of a label, All included. Later ones may name earlier ones. */
export interface Variable {
  readonly name: string
  readonly title: string
  readonly label: string
  /** where the label is looked at */
  readonly series: string
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  /** what a person should know who looks at it at night */
  readonly says: string
  readonly kind?: "lines" | "stacked" | "number" | "table" | "heatmap"
  /** of Grafana: `reqps`, `s`, `bytes`, `percentunit` … */
  readonly unit?: string
  /** legend, as `{{status}}`, → query; of a table the name of the column */
  readonly queries: Readonly<Record<string, string>>
  /** what is shown while there is nothing, as is usual; absent: there is always something */
  readonly none?: string
  /** from where on a number is yellow, and red; smaller second: the other way round */
  readonly levels?: readonly [warning: number, critical: number]
  /** of 24; default: panels share a row evenly */
  readonly width?: number
}
