/**
 * Which contexts belong to a role. A host that lets us choose our callbacks calls only those that a role wants; on others
 * every callback comes for every request, and a client's request must never reach the control API.
 */
import * as bytes from "../../policy-as/assembly/lib/bytes"
import * as heap from "../../policy-as/assembly/lib/heap"
import * as host from "./host"
import { Status } from "./abi"
import { Foreign } from "./foreign"

const SET_CALLBACKS: host.Name = new host.Name(Foreign.SET_CALLBACKS)
const CONTROL: host.Name = new host.Name("request_headers\0request_body")
const BALANCE: host.Name = new host.Name("upstream_select\0upstream_info")

/** Every root of the control role got the callbacks that it chose, so no other context can call them. */
let hostChooses: bool = true

/** List of the control role's contexts, roots too: u32 next · u32 context. */
let contexts: usize = 0
const ENTRY_BYTES: usize = 8

/** Takes the role that the configuration names; false if there is no such role. */
export function configure(root: i32, size: i32): bool {
  if (size > 0 && !host.configuration(size)) return false
  const length = size > 0 ? host.length : 0
  if (length == 0 || bytes.is(host.at, length, "role=balance")) {
    choose(BALANCE)
    return true
  }
  if (!bytes.is(host.at, length, "role=control")) return false
  add(root)
  choose(CONTROL)
  return true
}

function choose(callbacks: host.Name): void {
  if (host.foreign(SET_CALLBACKS, callbacks.at, callbacks.length) != Status.OK) hostChooses = false
}

/** A request's context begins. */
export function create(context: i32, root: i32): void {
  if (find(root) != 0) add(context)
}

/** Does this request belong to the control role? */
export function isControl(context: i32): bool {
  return hostChooses || find(context) != 0
}

function add(context: i32): void {
  const entry = heap.allocate(ENTRY_BYTES)
  store<u32>(entry, <u32>contexts)
  store<i32>(entry, context, 4)
  contexts = entry
}

/** The entry of a context, 0 if it has none. */
function find(context: i32): usize {
  let entry = contexts
  while (entry != 0 && load<i32>(entry, 4) != context) entry = <usize>load<u32>(entry)
  return entry
}

/** A context is gone. */
export function remove(context: i32): void {
  let before: usize = 0
  let entry = contexts
  while (entry != 0 && load<i32>(entry, 4) != context) {
    before = entry
    entry = <usize>load<u32>(entry)
  }
  if (entry == 0) return
  if (before == 0) contexts = <usize>load<u32>(entry)
  else store<u32>(before, load<u32>(entry))
  heap.free(entry)
}
