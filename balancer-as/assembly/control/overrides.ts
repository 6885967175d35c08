/** `overrides` of a route: numbers and switches in the place of its policy's, each a field of the route's own. */
import { Buffer } from "../buffer"
import { Field, Fields, nextField, placeOfId } from "./fields"
import {
  BUFFER_BYTES,
  BUFFERS,
  BYTES_OR_NONE,
  COUNT,
  FLAG,
  MILLISECONDS,
  MILLISECONDS_OR_NONE,
  TRIES_OR_NONE,
} from "./numbers"
import * as numbers from "./numbers"
import { readNextUpstream, showNextUpstream } from "./next-upstream"
import * as reader from "../json/reader"
import * as record from "../record"
import * as writer from "../json/writer"

const NEXT_UPSTREAM: i32 = COUNT

const OVERRIDE: Fields = [
  new Field("proxy_connect_timeout_ms", MILLISECONDS, false, 32),
  new Field("proxy_send_timeout_ms", MILLISECONDS, false, 33),
  new Field("proxy_read_timeout_ms", MILLISECONDS, false, 34),
  new Field("client_max_body_size_bytes", BYTES_OR_NONE, false, 35),
  new Field("proxy_next_upstream", NEXT_UPSTREAM, false, 36),
  new Field("proxy_next_upstream_tries", TRIES_OR_NONE, false, 37),
  new Field("proxy_next_upstream_timeout_ms", MILLISECONDS_OR_NONE, false, 38),
  new Field("proxy_buffer_size_bytes", BUFFER_BYTES, false, 39),
  new Field("proxy_buffers_number", BUFFERS, false, 40),
  new Field("proxy_busy_buffers_size_bytes", BUFFER_BYTES, false, 41),
  new Field("proxy_buffering", FLAG, false, 42),
  new Field("proxy_request_buffering", FLAG, false, 43),
  new Field("proxy_max_temp_file_size_bytes", BYTES_OR_NONE, false, 44),
  new Field("client_body_buffer_size_bytes", BUFFER_BYTES, false, 45),
  new Field("absolute_redirect", FLAG, false, 46),
  new Field("port_in_redirect", FLAG, false, 47),
]

export function readOverrides(out: Buffer): void {
  let seen: u32 = 0
  reader.enterObject()
  for (let place = nextField(OVERRIDE, seen); place >= 0; place = nextField(OVERRIDE, seen)) {
    seen |= 1 << place
    const field = OVERRIDE[place]
    if (field.kind == NEXT_UPSTREAM) readNextUpstream(out, field.id)
    else numbers.readField(out, field.id, field.kind)
  }
}

export function isOverride(id: u32): bool {
  return placeOfId(OVERRIDE, id) >= 0
}

/** Writes the object with all overrides of the route whose fields lie from `from` to `end`. */
export function showOverrides(out: Buffer, from: usize, end: usize): void {
  writer.open(out, "overrides")
  for (let field = from; field != end; field = record.nextField(field)) {
    const place = placeOfId(OVERRIDE, record.fieldId(field))
    if (place >= 0) showOverride(out, OVERRIDE[place], field)
  }
  out.u8(0x7d)
}

function showOverride(out: Buffer, known: Field, field: usize): void {
  writer.member(out, known.name)
  if (known.kind == NEXT_UPSTREAM) showNextUpstream(out, field)
  else numbers.show(out, known.kind, field)
}
