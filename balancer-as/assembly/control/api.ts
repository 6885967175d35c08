/**
 * The control API (docs/wire.md 1). A request comes in as headers and, if it is a POST, a body; an answer goes out as a
 * local response. Nothing of it outlives the callback but what was written into the zones.
 */
import { Action } from "../abi"
import * as answer from "./answer"
import * as attempt from "../attempt"
import * as authority from "./tls/authority"
import * as backend from "./backend"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import * as general from "./general"
import * as host from "../host"
import * as hostRecord from "./host-record"
import { getChain } from "./tls/chain"
import * as made from "./tls/made"
import * as names from "./names"
import * as query from "./query"
import * as show from "./show"
import * as skip from "../json/skip"
import * as skipped from "./skipped"
import * as writes from "./writes"
import { getEndpointStates } from "./endpoint-states"
import { getNames } from "./show-names"
import { postBackends } from "./full-set"
import { postChange } from "./change"
import { postPatterns } from "./patterns"

const METHOD: host.Name = new host.Name(":method")
const PATH: host.Name = new host.Name(":path")
const CONTENT_LENGTH: host.Name = new host.Name("content-length")
const TRANSFER_ENCODING: host.Name = new host.Name("transfer-encoding")

const CHANGES: string = "/configuration/changes"
const NAMES: string = "/configuration/names"
const BACKENDS: string = "/configuration/backends"
const ENDPOINTS: string = "/configuration/endpoints"
const CERTS: string = "/configuration/certs"
const PATTERNS: string = "/configuration/patterns"
const GENERAL: string = "/configuration/general"

const MAX_BODY_BYTES: i32 = 1 << 20

/** Answers at once, or asks for the body. */
export function onHeaders(isEnd: bool): i32 {
  const isPost = isMethod("POST")
  if (!isPost && !isMethod("GET")) refuseMethod()
  else if (!readPath()) answer.sendError(404, "There is no such path")
  else if (!isPost) get()
  else if (!takesPost()) answer.sendError(404, "There is nothing to post to here")
  else if (isEnd || !announcesBody()) answer.sendError(400, "A body is expected")
  else return waitForBody()
  dropAll()
  return Action.PAUSE
}

/** Only our host says with the headers that no body comes. On others who waited for one would wait for ever. */
function announcesBody(): bool {
  if (attempt.isOurHost() || host.requestHeader(TRANSFER_ENCODING)) return true
  return host.requestHeader(CONTENT_LENGTH) && !bytes.is(host.at, host.length, "0")
}

/** Our host reads the body when we pause. Others read it anyway, and would wait for ever for us to go on. */
function waitForBody(): i32 {
  return attempt.isOurHost() ? Action.PAUSE : Action.CONTINUE
}

/** Called with all of the body. */
export function onBody(size: i32): i32 {
  if (size > MAX_BODY_BYTES) answer.sendError(413, "The body is larger than 1 MiB")
  else if (!readPath() || !host.requestBody(size)) answer.sendError(400, "The body cannot be read")
  else post(host.at, host.length)
  dropAll()
  return Action.PAUSE
}

function isMethod(method: string): bool {
  return host.requestHeader(METHOD) && bytes.is(host.at, host.length, method)
}

function refuseMethod(): void {
  answer.sendError(400, "Only GET and POST are known")
}

function readPath(): bool {
  if (!host.requestHeader(PATH)) return false
  query.split(host.at, host.length)
  return true
}

function takesPost(): bool {
  return query.pathIs(CHANGES) || query.pathIs(BACKENDS) || query.pathIs(PATTERNS) || query.pathIs(GENERAL)
}

function get(): void {
  if (query.pathIs(CHANGES)) show.getChanges()
  else if (query.pathIs(NAMES)) getNames()
  else if (query.pathIs(GENERAL)) general.get()
  else if (query.pathIs(CERTS)) getChain()
  else if (query.pathIs(ENDPOINTS)) getEndpointStates()
  else if (show.isList()) show.get()
  else answer.sendError(404, "There is no such path")
}

function post(body: usize, length: usize): void {
  // The reader of JSON stops at this byte. There is room for it: the body lies in the arena.
  store<u8>(body + length, 0)
  if (query.pathIs(CHANGES)) postChange(body, length)
  else if (query.pathIs(BACKENDS)) postBackends(body, length)
  else if (query.pathIs(PATTERNS)) postPatterns(body, length)
  else general.post(body, length)
}

function dropAll(): void {
  authority.drop()
  answer.drop()
  backend.drop()
  hostRecord.drop()
  names.drop()
  made.drop()
  skip.forgetKeys()
  skipped.drop()
  writes.drop()
}
