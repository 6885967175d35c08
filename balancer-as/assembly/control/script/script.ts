/** `script` of a route or a host: JSON → a field with fields of its own → JSON. */
import { readArray, showArray } from "../array"
import { Buffer } from "../../buffer"
import * as error from "../../json/error"
import { Field } from "../field"
import { readNested, showNested } from "../nested"
import { MaxCount, Type } from "../../ids"
import { readLevel, showLevel } from "./level"
import { readSteps, showStep } from "./step"
import * as steps from "./step"
import { SCRIPT } from "../tables"
import * as reader from "../../json/reader"
import * as writer from "../../json/writer"

/** How many levels the script that is read has. */
let levels: u32 = 0

/** Steps may stand before the levels that they name or behind them: whether these are there is known at the end. */
export function readScript(out: Buffer, tag: u32): void {
  levels = 0
  steps.clear()
  readNested(out, tag, SCRIPT, readField)
  if (steps.highestLevel != 0 && steps.highestLevel >= levels)
    error.fail(reader.place(), "A step names a level that the script does not have")
}

/** That of a host has one level at most: no `if` of a server says more than steps. */
export function readHostScript(out: Buffer, tag: u32): void {
  readScript(out, tag)
  if (levels > 1) error.fail(reader.place(), "The script of a host has at most one level")
}

function readField(out: Buffer, field: Field): void {
  if (field.type == Type.STEPS) return readSteps(out, field)
  readArray(out, field, MaxCount.LEVELS, " has at most 64 levels", (out: Buffer, field: Field): void => {
    levels++
    readLevel(out, field.tag)
  })
}

/** Writes the member; false if its field is damaged, or says something that must be understood and is not. */
export function showScript(out: Buffer, name: string, field: usize): bool {
  return showNested(out, name, field, SCRIPT, showField)
}

function showField(out: Buffer, known: Field, field: usize, end: usize): bool {
  writer.member(out, known.name)
  return showArray(out, known.id, field, end, known.type == Type.STEPS ? showStep : showLevel)
}
