/** Answers of the control API. */
import * as error from "../json/error"
import { Buffer } from "../buffer"
import * as host from "../host"
import * as writer from "../json/writer"

const DETAILS: host.Name = new host.Name("wick_control")
const JSON_TYPE: host.Name = new host.Name("application/json")
const TEXT_TYPE: host.Name = new host.Name("text/plain; charset=utf-8")
const CONTENT_TYPE: string = "content-type"

const NEXT: string = "x-wick-next"

/** The body that is written. */
export const out: Buffer = new Buffer()
const headers: Buffer = new Buffer()
/** The cursor for the header `x-wick-next`, empty for none. */
const next: Buffer = new Buffer()

/** The answer is only a part; this is where the next one begins. */
export function goesOnAt(cursor: u64): void {
  next.number(cursor)
}

/** Sends `out` as JSON. */
export function send(code: i32): void {
  sendBytes(code, JSON_TYPE, out.at, out.length)
}

/** Sends any text; the browser of a curious person must not take it for a page. */
export function sendText(at: usize, length: usize): void {
  sendBytes(200, TEXT_TYPE, at, length)
}

/** `{"error": sentence}` */
export function sendError(code: i32, sentence: string): void {
  beginError()
  out.u8(0x22)
  out.literal(sentence)
  out.literal('"}')
  send(code)
}

/** The host lacks something that only ours has (docs/abi.md): asking again is of no use. */
export function sendUnable(sentence: string): void {
  sendError(501, sentence)
}

/** 400, with the sentence and the place of error.ts. */
export function sendRefusal(): void {
  beginError()
  writer.text(out, error.message.at, error.message.length)
  out.literal(',"offset":')
  out.number(error.offset)
  out.u8(0x7d)
  send(400)
}

function beginError(): void {
  out.drop()
  next.drop()
  out.literal('{"error":')
}

/** Header map: u32 count, per header u32 length of key and of value; then key, NUL, value, NUL. */
function sendBytes(code: i32, type: host.Name, body: usize, length: usize): void {
  const isPart = next.length > 0
  headers.u32(isPart ? 2 : 1)
  putLengths(CONTENT_TYPE, type.length)
  if (isPart) putLengths(NEXT, next.length)
  putHeader(CONTENT_TYPE, type.at, type.length)
  if (isPart) putHeader(NEXT, next.at, next.length)
  host.localResponse(code, DETAILS, body, length, headers.at, headers.length)
}

function putLengths(name: string, valueLength: usize): void {
  headers.u32(name.length)
  headers.u32(<u32>valueLength)
}

function putHeader(name: string, value: usize, valueLength: usize): void {
  headers.literal(name)
  headers.u8(0)
  headers.bytes(value, valueLength)
  headers.u8(0)
}

export function drop(): void {
  out.drop()
  headers.drop()
  next.drop()
}
