// A filter that does what its configuration says: steps, separated by `|`, each with commands separated by `;`.
//
//   headers: prop source.address; respond 200 | select: upstream 127.0.0.1 8080
//
// Results of commands gather in a report, `STATUS` or `STATUS:VALUE` per command, joined by a blank; `respond` sends it
// as body, `say` logs it. A `+` in an argument stands for a blank; of some commands an argument `@NAME` stands for the
// request's header of that name, URI-decoded.
import * as abi from "./abi"
import * as slots from "./slots"
import { At, NONE } from "../../../../../policy-as/assembly/lib/abi"

// Sixteen bytes of the key are known.
const RECORD_BYTES: i32 = <i32>At.KEY + 16

// The attempt record of docs/abi.md.
const record = memory.data(RECORD_BYTES, 8)
store<u32>(record, RECORD_BYTES)
export const wick_attempt: usize = record

const scripts = new Map<i32, string>()
let current = 0
let report = ""

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size)
}

export function proxy_on_context_create(id: i32, parent: i32): void {
  if (parent != 0) scripts.set(id, scripts.get(parent))
  run("create", id, parent)
}

export function proxy_on_vm_start(root: i32, size: i32): i32 {
  return abi.buffer(6).text == "refuse" ? 0 : 1
}

export function proxy_on_configure(root: i32, size: i32): i32 {
  scripts.set(root, abi.buffer(7).text)
  return run("configure", root, size) == 2 ? 0 : 1
}

export function proxy_on_tick(root: i32): void {
  run("tick", root, 0)
}

export function proxy_on_shared_data_changed(root: i32): void {
  run("changed", root, 0)
}

export function proxy_on_request_headers(context: i32, count: i32, end: i32): i32 {
  return run("headers", context, end)
}

export function proxy_on_request_body(context: i32, size: i32, end: i32): i32 {
  return run("body", context, size)
}

export function proxy_on_response_headers(context: i32, count: i32, end: i32): i32 {
  return run("response", context, end)
}

export function proxy_on_upstream_select(context: i32): void {
  run("select", context, 0)
}

export function proxy_on_next_upstream(context: i32, status: i32): void {
  run("next", context, status)
}

export function proxy_on_upstream_info(context: i32, state: i32): void {
  run("info", context, state)
}

export function proxy_on_done(context: i32): i32 {
  run("done", context, 0)
  return 1
}

export function proxy_on_log(context: i32): void {
  run("log", context, 0)
}

export function proxy_on_delete(context: i32): void {
  run("delete", context, 0)
  scripts.delete(context)
}

/** Runs the commands of a step; returns the action: 0, 1 for `pause`, 2 for `refuse`. */
function run(step: string, context: i32, argument: i32): i32 {
  if (!scripts.has(context)) return 0
  current = context
  const steps = scripts.get(context).split("|")
  for (let i = 0; i < steps.length; i++) {
    const text = steps[i].trim()
    if (!text.startsWith(step + ":")) continue
    return commands(text.substring(step.length + 1), step, argument)
  }
  return 0
}

function commands(text: string, step: string, argument: i32): i32 {
  let action = 0
  const all = text.split(";")
  for (let i = 0; i < all.length; i++) {
    const words = all[i].trim().split(" ")
    if (words[0] == "pause") action = 1
    else if (words[0] == "refuse") action = 2
    else if (words[0] == "when") {
      if (abi.header(0, words[1]).text != words[2]) return action
    } else if (words[0] == "trace") abi.log(`trace ${step} ${current} ${argument}`)
    else note(command(words))
  }
  return action
}

function note(text: string): void {
  if (text != "") report += (report == "" ? "" : " ") + text
}

function shown(result: abi.Result): string {
  return result.status == 0 ? `0:${result.text}` : result.status.toString()
}

function argument(words: string[], i: i32): string {
  return i < words.length ? words[i].replaceAll("+", " ") : ""
}

function number(words: string[], i: i32): i32 {
  return i < words.length ? <i32>parseInt(words[i]) : 0
}

function command(words: string[]): string {
  const name = words[0]
  const a = argument(words, 1)
  const b = argument(words, 2)
  const c = argument(words, 3)
  const n = number(words, 1)
  if (name == "respond") return respond(n, words)
  if (name == "say") return say()
  if (name == "text") return a
  if (name == "prop") return shown(abi.property(a))
  if (name == "setprop") return abi.setProperty(a, given(b)).toString()
  if (name == "buffer")
    return shown(abi.buffer(n, number(words, 2), words.length > 3 ? number(words, 3) : i32.MAX_VALUE))
  if (name == "length") return abi.buffer(n).bytes.byteLength.toString()
  if (name == "get") return shown(abi.header(n, b))
  if (name == "add") return abi.addHeader(n, b, c).toString()
  if (name == "replace") return abi.replaceHeader(n, b, c).toString()
  if (name == "remove") return abi.removeHeader(n, b).toString()
  if (name == "pairs") return pairs(n)
  if (name == "setpairs") return abi.setHeaders(n, lines(words, 2)).toString()
  if (name == "inject") return abi.addHeader(n, "x-a", "1\r\nx-b: 2").toString()
  return more(name, words, a, b)
}

function more(name: string, words: string[], a: string, b: string): string {
  if (name == "shared") return shown(abi.sharedData(a))
  if (name == "put") return abi.setSharedData(a, abi.utf8(b), number(words, 3)).toString()
  if (name == "swap") return abi.setSharedData(a, abi.utf8(b), abi.sharedData(a).cas).toString()
  if (name == "fill") return abi.setSharedData(a, new ArrayBuffer(number(words, 2))).toString()
  if (name == "delete") return abi.deleteSharedData(a).toString()
  if (name == "version") return version(a)
  if (name == "many") return many(words)
  if (name == "list") return list(a, number(words, 2))
  if (name.startsWith("slot-")) return slots.command(words)
  if (name == "callbacks") return callbacks(a)
  if (name == "expand") return shown(abi.foreign("wick_expand", abi.utf8(given(a))))
  if (name == "cookie") return shown(abi.foreign("wick_get_cookie", abi.utf8(given(a))))
  if (name == "setcookie")
    return abi.foreign("wick_set_cookie", abi.two(given(a), given(b))).status.toString()
  if (name == "cookieof") return setOf(a)
  if (name == "match") return matches(given(a), given(b))
  if (name == "foreign") return abi.foreign(a, abi.utf8(b)).status.toString()
  if (name == "upstream")
    return abi.setUpstream(a, number(words, 2), number(words, 3), argument(words, 4)).toString()
  if (name == "turn") return turn(words)
  if (name == "attempt") return `${load<u32>(record, At.ATTEMPT)}[${tags()}]`
  if (name == "tag") return tag(<u32>number(words, 1))
  if (name == "key") return key()
  if (name == "note") return noted(words)
  if (name == "wants") return wants(words)
  if (name == "ending") return ending()
  if (name == "moment") return load<u64>(record, At.NOW).toString()
  if (name == "timeouts") return abi.timeouts()
  if (name == "settimeouts") {
    return abi.setTimeouts(number(words, 1), number(words, 2), number(words, 3)).toString()
  }
  if (name == "accept") return abi.accept().toString()
  if (name == "tick") return abi.setTick(number(words, 1)).toString()
  if (name == "clock") return (abi.now() / 1_000_000_000).toString()
  if (name == "httpcall") return abi.httpCall().toString()
  return fault(name, a)
}

let sink: i32 = 0

function fault(name: string, a: string): string {
  if (name == "badpointer") return abi.badPointer().toString()
  if (name == "badresult") return abi.badResultPointer(a).toString()
  if (name == "trap") unreachable()
  if (name == "abort") throw new Error("asked to")
  if (name == "divide") sink = 10 / (sink - sink)
  if (name == "outside") sink = load<i32>(0x7fff0000 + sink)
  if (name == "loop") while (true) if (++sink == -1) sink = 0
  if (name == "deep") sink = deep(sink)
  if (name == "memory") while (memory.grow(16) != -1) sink++
  if (name == "memory") unreachable()
  return `unknown:${name}`
}

function deep(n: i32): i32 {
  return deep(n + 1) + n + sink
}

function lines(words: string[], from: i32): ArrayBuffer {
  const headers: string[] = []
  for (let i = from; i < words.length; i++) headers.push(words[i].replace("=", ": "))
  return abi.headerMap(headers)
}

function respond(status: i32, words: string[]): string {
  const answer = abi.respond(status, report, lines(words, 2))
  if (answer != 0) return answer.toString()
  report = ""
  return ""
}

function say(): string {
  abi.log(`report ${report}`)
  report = ""
  return ""
}

function pairs(map: i32): string {
  const bytes = abi.headers(map).bytes
  const p = changetype<usize>(bytes)
  const n = load<u32>(p)
  let text: usize = p + 4 + n * 8
  let shown = ""
  for (let i: u32 = 0; i < n; i++) {
    const name = load<u32>(p + 4 + i * 8)
    const value = load<u32>(p + 8 + i * 8)
    shown += `${String.UTF8.decodeUnsafe(text, name)}=${String.UTF8.decodeUnsafe(text + name + 1, value)},`
    text += name + value + 2
  }
  return shown
}

/** Says nothing when all is well, because most scripts begin with it. */
function callbacks(names: string): string {
  const status = abi.foreign("wick_set_callbacks", abi.utf8(names.split(",").join("\0"))).status
  return status == 0 ? "" : status.toString()
}

function version(key: string): string {
  const result = abi.foreign("wick_shared_data_version", abi.utf8(key))
  return result.status == 0 ? load<u64>(changetype<usize>(result.bytes)).toString() : `status${result.status}`
}

/** `many KEY=VALUE KEY! KEY=VALUE@absent …`: `!` deletes. */
function many(words: string[]): string {
  const bytes = new ArrayBuffer(64 << 10)
  const start = changetype<usize>(bytes)
  let p = start + 4
  store<u32>(start, words.length - 1)
  for (let i = 1; i < words.length; i++) {
    const absent = words[i].endsWith("@absent")
    const word = absent ? words[i].slice(0, -7) : words[i]
    const remove = word.endsWith("!")
    const key = abi.utf8(remove ? word.slice(0, -1) : word.split("=")[0])
    const value = abi.utf8(remove ? "" : word.split("=")[1])
    store<u32>(p, key.byteLength)
    store<u32>(p, remove ? u32.MAX_VALUE : value.byteLength, 4)
    store<u32>(p, absent ? u32.MAX_VALUE : 0, 8)
    memory.copy(p + 12, changetype<usize>(key), key.byteLength)
    memory.copy(p + 12 + key.byteLength, changetype<usize>(value), value.byteLength)
    p += 12 + key.byteLength + (remove ? 0 : value.byteLength)
  }
  const result = abi.foreign("wick_set_shared_data_many", bytes.slice(0, <i32>(p - start)))
  return result.bytes.byteLength == 4
    ? `${result.status}@${load<u32>(changetype<usize>(result.bytes))}`
    : result.status.toString()
}

/** All keys with a prefix, listed some at a time. */
function list(prefix: string, most: i32): string {
  const keys: string[] = []
  const text = abi.utf8(prefix)
  const request = new ArrayBuffer(12 + text.byteLength)
  store<u32>(changetype<usize>(request), most, 8)
  memory.copy(changetype<usize>(request) + 12, changetype<usize>(text), text.byteLength)
  do {
    const result = abi.foreign("wick_list_shared_data", request)
    if (result.status != 0) return result.status.toString()
    let p = changetype<usize>(result.bytes)
    store<u64>(changetype<usize>(request), load<u64>(p))
    const n = load<u32>(p, 8)
    p += 12
    for (let i: u32 = 0; i < n; i++) {
      keys.push(String.UTF8.decodeUnsafe(p + 4, load<u32>(p)))
      p += 4 + load<u32>(p)
    }
  } while (load<u64>(changetype<usize>(request)) != 0)
  return keys.sort().join(",")
}

function tags(): string {
  const all: string[] = []
  for (let i: u32 = 0; i < load<u32>(record, At.TRIED); i++)
    all.push(load<u32>(record + At.TAGS + i * 4).toString())
  return all.join(",")
}

function key(): string {
  const length = load<u32>(record, At.KEY_LENGTH)
  return length == NONE ? "none" : String.UTF8.decodeUnsafe(record + At.KEY, length)
}

function given(argument: string): string {
  return argument.startsWith("@") ? decodeURIComponent(abi.header(0, argument.substring(1)).text) : argument
}

/** Sets a cookie that holds the attempt's number. */
function setOf(name: string): string {
  return abi
    .foreign("wick_set_cookie", abi.two(name, `${name}=${load<u32>(record, At.ATTEMPT)}`))
    .status.toString()
}

function matches(pattern: string, subject: string): string {
  const result = abi.foreign("wick_match", abi.two(pattern, subject))
  return result.status == 0 ? `0:${load<u32>(changetype<usize>(result.bytes))}` : result.status.toString()
}

/** `turn ADDRESS:PORT …`: another one on each attempt, then the last. */
function turn(words: string[]): string {
  const i = min(<i32>load<u32>(record, At.ATTEMPT) + 1, words.length - 1)
  return abi.setUpstream(words[i], 0).toString()
}

/** `note N` leaves a note, `note` shows it. */
function noted(words: string[]): string {
  if (words.length > 1) store<u64>(record, U64.parseInt(words[1]), At.NOTE)
  return load<u64>(record, At.NOTE).toString()
}

/** `wants N` tells the host, `wants` shows what stands there. */
function wants(words: string[]): string {
  if (words.length > 1) store<u32>(record, <u32>number(words, 1), At.WANTS)
  return load<u32>(record, At.WANTS).toString()
}

/** How the attempt ended: `OUTCOME,STATUS,MILLISECONDS TO CONNECT,MICROSECONDS TO THE HEAD`, `-` for a time that is not known. */
function ending(): string {
  return `${load<u32>(record, At.OUTCOME)},${load<u32>(record, At.STATUS)},${time(At.CONNECT_TIME, 1_000_000)},${time(At.FIRST_BYTE_TIME, 1000)}`
}

function time(at: usize, unit: u64): string {
  const nanoseconds = load<u64>(record + at)
  return nanoseconds == u64.MAX_VALUE ? "-" : (nanoseconds / unit).toString()
}

function tag(value: u32): string {
  if (value > 0) store<u32>(record, value, At.TAG)
  return load<u32>(record, At.TAG).toString()
}
