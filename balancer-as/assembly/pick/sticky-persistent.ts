/**
 * Sessions that stay with their endpoint as long as it is there: the cookie's key is the MD5 of the backend's name and the
 * endpoint's, as in ingress-nginx. New sessions go to a random endpoint, a heavier one more often.
 */
import * as arena from "../../../policy-as/assembly/lib/arena"
import * as avoid from "../avoid"
import * as heap from "../../../policy-as/assembly/lib/heap"
import * as hex from "../hex"
import * as md5 from "../md5"
import * as name from "./name"
import * as random from "../random"
import * as session from "../session/session"
import * as survivors from "../survivors"
import { Backend, NOWHERE } from "../backend"
import { issue } from "../session/issue"
import { Session } from "../session/session"

/** So many endpoints are drawn for one not to keep away from, before they are gone through. */
const MAX_DRAWS: i32 = 256

/** Behind it lie the endpoints' keys (16 bytes each), then a hash table of them: u32 place + 1, 0 for free. */
@unmanaged
class State extends Session {
  greatestWeight: u32
  /** Of the table. */
  mask: u32


  @inline key(index: u32): usize {
    return changetype<usize>(this) + offsetof<State>() + <usize>index * md5.DIGEST_BYTES
  }
}

function stateOf(backend: Backend): State {
  return changetype<State>(backend.state)
}

function table(backend: Backend): usize {
  return stateOf(backend).key(backend.count)
}

export function prepare(backend: Backend, before: Backend | null): void {
  const places: u32 = 1 << (33 - clz(backend.count))
  const keyBytes = <usize>backend.count * md5.DIGEST_BYTES
  backend.state = heap.allocate(offsetof<State>() + keyBytes + ((<usize>places) << 2))
  const state = stateOf(backend)
  session.begin(state, backend)
  state.mask = places - 1
  state.greatestWeight = backend.greatestWeight()
  makeKeys(backend, before)
  memory.fill(table(backend), 0, (<usize>places) << 2)
  for (let i: u32 = 0; i < backend.count; i++) enter(backend, i)
}

/** Those of endpoints that were there before are copied: this takes a tenth of the time. */
function makeKeys(backend: Backend, before: Backend | null): void {
  const state = stateOf(backend)
  const text = arena.allocate(backend.nameLength + name.MAX_BYTES)
  memory.copy(text, backend.name, backend.nameLength)
  for (let i: u32 = 0; i < backend.count; i++) {
    const place = before == null ? survivors.NEW : survivors.placeBefore(backend, before, i)
    if (before != null && place != survivors.NEW) {
      memory.copy(state.key(i), stateOf(before).key(place), md5.DIGEST_BYTES)
    } else {
      const end = name.put(backend.endpoint(i), text + backend.nameLength)
      md5.digest(text, end - text, state.key(i))
    }
  }
}

function enter(backend: Backend, index: u32): void {
  let place = firstPlace(backend, stateOf(backend).key(index))
  while (load<u32>(place) != 0) place = nextPlace(backend, place)
  store<u32>(place, index + 1)
}

/** The endpoint with this key; `NOWHERE` if there is none. */
function findKey(backend: Backend, key: usize): u32 {
  let place = firstPlace(backend, key)
  for (; load<u32>(place) != 0; place = nextPlace(backend, place)) {
    const index = load<u32>(place) - 1
    if (md5.isSame(stateOf(backend).key(index), key)) return index
  }
  return NOWHERE
}

function firstPlace(backend: Backend, key: usize): usize {
  return table(backend) + ((<usize>(load<u32>(key) & stateOf(backend).mask)) << 2)
}

function nextPlace(backend: Backend, place: usize): usize {
  return table(backend) + ((place + 4 - table(backend)) & (((<usize>stateOf(backend).mask) << 2) | 3))
}

const KEY: usize = memory.data(16, 8)

/**
 * A session stays with its endpoint even when that has failed, unless the settings say otherwise. While it is left out,
 * another one serves in its place.
 */
export function pick(backend: Backend): u32 {
  const state = stateOf(backend)
  if (!session.read(state) || !md5.parse(session.key, session.keyLength, KEY)) return begin(backend, state)
  const index = findKey(backend, KEY)
  if (index == NOWHERE) return begin(backend, state)
  if (!avoid.isNeeded) return index
  if (session.mustMove(state, backend, index)) return begin(backend, state)
  return avoid.isOut(backend, index) ? replacement(backend) : index
}

/** The same one for all requests of the key, as long as it is fit to serve. */
function replacement(backend: Backend): u32 {
  const start = load<u32>(KEY) % backend.count
  avoid.forgetTried()
  for (let i: u32 = 0; i < backend.count; i++) {
    const index = (start + i) % backend.count
    if (!avoid.from(backend, index)) return index
  }
  return avoid.leftover(backend)
}

/** Begins a session, or moves it. */
function begin(backend: Backend, state: State): u32 {
  const index = draw(backend, state)
  const key = arena.allocate(md5.HEX_BYTES)
  hex.put(state.key(index), md5.DIGEST_BYTES, key)
  issue(backend, state, key, md5.HEX_BYTES)
  return index
}

function draw(backend: Backend, state: State): u32 {
  for (let left = MAX_DRAWS; left > 0; left--) {
    const index = random.below(backend.count)
    const isDue = random.below(state.greatestWeight) < backend.endpoint(index).weight
    if (isDue && (!avoid.isNeeded || !avoid.from(backend, index))) return index
  }
  return avoid.leftover(backend)
}
