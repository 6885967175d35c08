/** `upstreamHashByConfig`: consistent hashing by a text with variables. */
import { Buffer } from "../buffer"
import { Field, Fields, nextField } from "./fields"
import { readText } from "./text"
import * as reader from "../json/reader"
import { Setting } from "../record"
import * as settings from "./settings"
import * as writer from "../json/writer"

const KEY: i32 = 0
const IS_SUBSET: i32 = 1
const SIZE: i32 = 2
const HASH_BY: Fields = [
  new Field("upstream-hash-by", KEY, false, Setting.HASH_KEY),
  new Field("upstream-hash-by-subset", IS_SUBSET),
  new Field("upstream-hash-by-subset-size", SIZE),
]

const DEFAULT_SIZE: u64 = 3

export function readHashBy(): void {
  let isSubset = false
  let size: u64 = 0
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(HASH_BY, seen); place >= 0; place = nextField(HASH_BY, seen)) {
    seen |= 1 << place
    if (reader.skipNull()) continue
    if (place == KEY) readText(HASH_BY[KEY])
    else if (place == IS_SUBSET) isSubset = reader.readBool()
    else size = reader.readInteger(0, i32.MAX_VALUE, "A number of endpoints from 0 to 2147483647 is expected")
  }
  const hasSubset = isSubset && settings.has(Setting.HASH_KEY)
  if (hasSubset) settings.setNumber(Setting.SUBSET_SIZE, size == 0 ? DEFAULT_SIZE : size)
}

export function showHashBy(out: Buffer): void {
  if (!settings.has(Setting.HASH_KEY)) return
  writer.open(out, "upstreamHashByConfig")
  settings.showText(out, "upstream-hash-by", Setting.HASH_KEY)
  if (settings.has(Setting.SUBSET_SIZE)) {
    writer.isTrue(out, "upstream-hash-by-subset")
    writer.number(out, "upstream-hash-by-subset-size", settings.number(Setting.SUBSET_SIZE))
  }
  out.u8(0x7d)
}
