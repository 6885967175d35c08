/** `split` of a route: JSON → for each backend a field with fields of its own → JSON. */
import { readActions, showActions } from "./actions"
import { readBackendTls, showBackendTls } from "./backend-tls"
import { Buffer } from "../buffer"
import { Field } from "./field"
import { readLabel, readNested, showObject, showText } from "./nested"
import * as numbers from "./numbers"
import { readVariables, showVariables } from "./pairs"
import { WEIGHTED_BACKEND } from "./tables"
import * as reader from "../json/reader"
import { Type } from "../ids"
import * as writer from "../json/writer"

export function readSplit(out: Buffer, tag: u32): void {
  reader.enterArray()
  while (reader.nextItem()) readBackend(out, tag)
}

function readBackend(out: Buffer, tag: u32): void {
  readNested(out, tag, WEIGHTED_BACKEND, readField)
}

function readField(out: Buffer, field: Field): void {
  if (numbers.isNumber(field.type)) numbers.readField(out, field.tag, field.type)
  else if (field.type == Type.ACTIONS) readActions(out, field.tag)
  else if (field.type == Type.VARIABLES) readVariables(out, field.tag)
  else if (field.type == Type.BACKEND_TLS) readBackendTls(out, field.tag)
  else readLabel(out, field)
}

/** Writes one; false if its field is damaged, or says something that must be understood and is not. */
export function showWeightedBackend(out: Buffer, field: usize): bool {
  return showObject(out, field, WEIGHTED_BACKEND, showField)
}

/** Of those that are several fields, `field` is the first. */
function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  if (known.type == Type.ACTIONS) return showActions(out, known.name, field)
  if (known.type == Type.VARIABLES) return showVariables(out, known.id, field, end)
  if (known.type == Type.BACKEND_TLS) return showBackendTls(out, known.name, field)
  writer.member(out, known.name)
  if (!numbers.isNumber(known.type)) return showText(out, field)
  numbers.show(out, known.type, field)
  return true
}
