/**
 * Canaries: which backend takes a request, that of its route or one of its alternatives. Decided once per request, by the
 * rules of ingress-nginx in their order: a session of the main backend, a session of an alternative, header, cookie, weight.
 * Where there are several alternatives each rule goes through them in their order, and one draw decides for all of them.
 */
import * as arena from "../../policy-as/assembly/lib/arena"
import * as backends from "./backends"
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as host from "./host"
import * as random from "./random"
import * as record from "./record"
import * as session from "./session/session"
import { Backend } from "./backend"
import { Match } from "./host"
import { Setting } from "./ids"
import { Property } from "./foreign"

/** For the access log. */
const ALTERNATIVE: host.Name = new host.Name(Property.PROXY_ALTERNATIVE_UPSTREAM_NAME)
const HEADER: host.Name = new host.Name(Property.HTTP)
const COOKIE: host.Name = new host.Name(Property.COOKIE)

const DASH: u8 = 0x2d

/** What a rule says of an alternative. */
enum Verdict {
  NOTHING,
  TAKE,
  LEAVE,
}

/** The backend for the first attempt of a request whose main backend has alternatives. */
export function choose(main: Backend): Backend {
  if (main.count == 0 || session.isOf(main)) return main
  let alternative = bySession(main)
  if (alternative == null) alternative = byRules(main)
  if (alternative == null) return main
  host.setProperty(ALTERNATIVE, alternative.name, alternative.nameLength)
  return alternative
}

function bySession(main: Backend): Backend | null {
  for (
    let at = nextAlternative(main, main.alternatives);
    at != 0;
    at = nextAlternative(main, record.nextField(at))
  ) {
    const alternative = backendOf(at)
    if (alternative.count > 0 && session.isOf(alternative)) return alternative
  }
  return null
}

function byRules(main: Backend): Backend | null {
  let drawn: Backend | null = null
  let shares: u64 = 0
  const number = random.bits() >> 32
  for (
    let at = nextAlternative(main, main.alternatives);
    at != 0;
    at = nextAlternative(main, record.nextField(at))
  ) {
    const alternative = backendOf(at)
    const verdict = alternative.count > 0 ? judge(alternative.head) : Verdict.LEAVE
    if (verdict == Verdict.TAKE) return alternative
    if (verdict == Verdict.LEAVE) continue
    shares += shareOf(alternative.head)
    if (drawn == null && number < shares) drawn = alternative
  }
  return drawn
}

/** The first of the main backend's settings from `at` on that names an alternative; 0 if none does. */
function nextAlternative(main: Backend, at: usize): usize {
  const end = record.firstEndpoint(main.head)
  for (; at != end; at = record.nextField(at)) if (record.fieldId(at) == Setting.ALTERNATIVE) return at
  return 0
}

function backendOf(setting: usize): Backend {
  return backends.findBeside(record.fieldValue(setting), record.fieldLength(setting))
}

function judge(head: usize): Verdict {
  const verdict = judgeByHeader(head)
  return verdict == Verdict.NOTHING ? judgeByCookie(head) : verdict
}

function judgeByHeader(head: usize): Verdict {
  const name = record.setting(head, Setting.SHAPING_HEADER)
  if (name == 0 || !readHeader(name)) return Verdict.NOTHING
  const value = record.setting(head, Setting.SHAPING_HEADER_VALUE)
  if (value != 0) return isText(value) ? Verdict.TAKE : Verdict.NOTHING
  const pattern = record.setting(head, Setting.SHAPING_HEADER_PATTERN)
  return pattern == 0 ? alwaysOrNever() : judgeByPattern(pattern)
}

/** A pattern that cannot be matched, as it is wrong or takes too long, leaves the request to the others. */
function judgeByPattern(pattern: usize): Verdict {
  const length = record.fieldLength(pattern)
  const args = arena.allocate(4 + length + host.length)
  store<u32>(args, <u32>length)
  memory.copy(args + 4, record.fieldValue(pattern), length)
  memory.copy(args + 4 + length, host.at, host.length)
  const match = host.match(args, 4 + length + host.length)
  if (match == Match.FAILED) return Verdict.LEAVE
  return match == Match.YES ? Verdict.TAKE : Verdict.NOTHING
}

function judgeByCookie(head: usize): Verdict {
  const name = record.setting(head, Setting.SHAPING_COOKIE)
  return name != 0 && readCookie(name) ? alwaysOrNever() : Verdict.NOTHING
}

/** Of the value that was read last. */
function alwaysOrNever(): Verdict {
  if (bytes.is(host.at, host.length, "always")) return Verdict.TAKE
  return bytes.is(host.at, host.length, "never") ? Verdict.LEAVE : Verdict.NOTHING
}

function isText(setting: usize): bool {
  const length = record.fieldLength(setting)
  return length == host.length && memory.compare(record.fieldValue(setting), host.at, length) == 0
}

/** As nginx's variable has it: for it a dash in the name of a header is an underscore. */
function readHeader(name: usize): bool {
  return readVariable(HEADER, name, 0x5f)
}

function readCookie(name: usize): bool {
  return readVariable(COOKIE, name, DASH)
}

/** Reads the variable of this name in small letters, with `dash` for each dash. */
function readVariable(prefix: host.Name, name: usize, dash: u8): bool {
  const length = record.fieldLength(name)
  const path = arena.allocate(prefix.length + length)
  memory.copy(path, prefix.at, prefix.length)
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(record.fieldValue(name) + i)
    const isCapital = byte >= 0x41 && byte <= 0x5a
    store<u8>(path + prefix.length + i, byte == DASH ? dash : isCapital ? byte | 0x20 : byte)
  }
  return host.propertyAt(path, prefix.length + length)
}

/** The alternative's share of all requests that no rule decides, times 2^32. */
function shareOf(head: usize): u64 {
  const weight = record.setting(head, Setting.SHAPING_WEIGHT)
  if (weight == 0) return 0
  const value = record.fieldValue(weight)
  return ((<u64>load<u32>(value)) << 32) / max(load<u32>(value, 4), 1)
}
