import { block, optional, type Row, typed } from "../rows.ts"
import { number, template, variable } from "../values.ts"

// Variables that follow from others.

export const maps: readonly Row[] = [
  typed("geo", "http", [variable, optional(variable)], block),
  typed("map", "http", [template, variable], block),
  typed("map_hash_max_size", "http", [number()]),
  typed("map_hash_bucket_size", "http", [number()]),
  typed("split_clients", "http", [template, variable], block),
]
