/**
 * Sessions that are spread anew when endpoints come or go: the cookie's key is hashed, so that any text is a key, and only
 * the sessions of an endpoint that goes must move.
 */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as avoid from "../avoid"
import * as crc32 from "../../../policy-as/assembly/lib/crc32"
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as hex from "../hex"
import * as md5 from "../md5"
import * as onRing from "./on-ring"
import * as random from "../random"
import * as session from "../session/session"
import { Backend } from "../backend"
import { issue } from "../session/issue"
import { find } from "../../../policy-as/assembly/lib/ring/ring"
import { Session } from "../session/session"

/** So many keys are drawn for one whose endpoint is not to be kept away from. */
const MAX_DRAWS: i32 = 256

function stateOf(backend: Backend): Session {
  return changetype<Session>(backend.state)
}

export function prepare(backend: Backend, before: Backend | null): void {
  backend.state = heap.allocate(offsetof<Session>())
  const state = stateOf(backend)
  session.begin(state, backend)
  backend.ring = onRing.ringOf(backend, before)
}

/**
 * A session stays with its endpoint even when that has failed, unless the settings say otherwise. While it is left out, or
 * not yet warm enough for the key, the next one on the ring stands in.
 */
export function pick(backend: Backend): u32 {
  const state = stateOf(backend)
  if (!session.read(state)) return begin(backend, state)
  const hash = crc32.checksum(session.key, session.keyLength)
  const index = find(backend.ring!, hash)
  if (!avoid.isNeeded) return index
  if (session.mustMove(state, backend, index)) return begin(backend, state)
  avoid.forgetTried()
  return onRing.choose(backend, backend.ring!, hash)
}

/** Begins a session, or moves it. */
function begin(backend: Backend, state: Session): u32 {
  const key = arena.allocate(md5.HEX_BYTES)
  const index = draw(backend, state, key)
  issue(backend, state, key, md5.HEX_BYTES)
  return index
}

/**
 * Draws a key for an endpoint not to keep away from. If none comes, as those that are left have a small share, one of them
 * serves for now: the session's next request finds the endpoint of the key, and moves again if that is still no good.
 */
function draw(backend: Backend, state: Session, key: usize): u32 {
  let hash: u32 = 0
  for (let left = MAX_DRAWS; left > 0; left--) {
    drawKey(key)
    hash = crc32.checksum(key, md5.HEX_BYTES)
    const index = find(backend.ring!, hash)
    avoid.decideBy(hash)
    if (!avoid.isNeeded || !avoid.from(backend, index)) return index
  }
  return onRing.choose(backend, backend.ring!, hash)
}

const BITS: usize = memory.data(16, 8)

/** 128 random bits, as text. */
function drawKey(to: usize): void {
  store<u64>(BITS, random.bits())
  store<u64>(BITS, random.bits(), 8)
  hex.put(BITS, md5.DIGEST_BYTES, to)
}
