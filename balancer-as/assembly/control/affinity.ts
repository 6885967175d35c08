/** `sessionAffinityConfig`: sessions that a cookie keeps at their endpoint. */
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { Buffer } from "../buffer"
import { Algorithm, Setting, Type } from "../ids"
import * as host from "../host"
import { nextField } from "./fields"
import { readCookie, showCookie } from "./cookie"
import * as reader from "../json/reader"
import * as settings from "./settings"
import { AFFINITY } from "./tables"
import * as writer from "../json/writer"

/** What a cookie without a name is called, as in ingress-nginx. */
const DEFAULT_NAME: host.Name = new host.Name("route")

/** The algorithm for sessions of the mode that was read last. */
export let algorithm: u8 = Algorithm.STICKY_BALANCED

/** Without affinity by cookie none of its settings stays. */
export function readAffinity(): void {
  let isByCookie = false
  let seen: u64 = 0
  algorithm = Algorithm.STICKY_BALANCED
  reader.enterObject()
  for (let place = nextField(AFFINITY, seen); place >= 0; place = nextField(AFFINITY, seen)) {
    seen |= (<u64>1) << place
    if (reader.skipNull()) continue
    const type = AFFINITY[place].type
    if (type == Type.COOKIE) readCookie()
    else if (type == Type.AFFINITY_NAME) isByCookie = readIs("cookie")
    else if (readIs("persistent")) algorithm = Algorithm.STICKY_PERSISTENT
  }
  if (!isByCookie) return forgetCookie()
  if (!settings.has(Setting.COOKIE_NAME))
    settings.setText(Setting.COOKIE_NAME, DEFAULT_NAME.at, DEFAULT_NAME.length)
}

function readIs(word: string): bool {
  return reader.readText("A text in quotes is expected") && bytes.is(reader.text, reader.length, word)
}

function forgetCookie(): void {
  settings.remove(Setting.COOKIE_NAME, Setting.COOKIE_SAMESITE)
  settings.remove(Setting.SESSIONS_OF, Setting.SESSIONS_OF)
  settings.locations.clear()
}

/** @param record whose locations are shown */
export function showAffinity(out: Buffer, record: usize, algorithm: u8): void {
  if (!settings.has(Setting.COOKIE_NAME)) return
  writer.open(out, "sessionAffinityConfig")
  out.literal('"name":"cookie","mode":')
  out.literal(algorithm == Algorithm.STICKY_PERSISTENT ? '"persistent"' : '"balanced"')
  showCookie(out, record)
  out.u8(0x7d)
}
