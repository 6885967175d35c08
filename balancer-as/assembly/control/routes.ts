/** An array of routes: JSON → fields of a record → JSON. */
import { showArray } from "./array"
import { Buffer } from "../buffer"
import { HostField } from "../ids"
import { readRoute, showRoute } from "./route"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

/** Adds a field for each. */
export function readRoutes(out: Buffer, tag: u32): void {
  reader.enterArray()
  while (reader.nextItem()) readRoute(out, tag)
}

/** Writes those whose fields lie from `at` to `end`, among others; false if one is damaged. */
export function showRoutes(out: Buffer, at: usize, end: usize): bool {
  writer.member(out, "routes")
  return showArray(out, HostField.ROUTES, at, end, (out: Buffer, field: usize): bool =>
    showRoute(out, record.fieldValue(field), record.nextField(field)),
  )
}
