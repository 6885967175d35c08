// Chooses peers in turn from a list of `ip:port` in the shared key `backends/list`; with `role=control` it stores what is
// posted there. The smallest filter that uses the whole path: body, shared data, its notification, select.
import { buffer, foreign, respond, setSharedData, setUpstream, sharedData, utf8 } from "./abi"

let control: i32 = 0
let addresses: string[] = []
let ports: i32[] = []
let turn = 0

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size)
}

export function proxy_on_configure(root: i32, size: i32): i32 {
  const controls = buffer(7).text == "role=control"
  if (controls) control = root
  const wanted = controls ? "request_headers\0request_body\0context" : "upstream_select"
  if (foreign("wick_set_callbacks", utf8(wanted)).status != 0) return 0
  read()
  return 1
}

export function proxy_on_shared_data_changed(root: i32): void {
  if (root != control) read()
}

function read(): void {
  const list = sharedData("backends/list")
  if (list.status != 0) return
  addresses = []
  ports = []
  const lines = list.text.split(",")
  for (let i = 0; i < lines.length; i++) {
    const colon = lines[i].lastIndexOf(":")
    addresses.push(lines[i].substring(0, colon))
    ports.push(<i32>parseInt(lines[i].substring(colon + 1)))
  }
}

export function proxy_on_context_create(id: i32, parent: i32): void {}

export function proxy_on_request_headers(context: i32, count: i32, end: i32): i32 {
  if (end) respond(200, sharedData("backends/list").text)
  return 1
}

export function proxy_on_request_body(context: i32, size: i32, end: i32): i32 {
  const status = setSharedData("backends/list", buffer(0, 0, size).bytes)
  respond(status == 0 ? 201 : 507, status.toString())
  return 0
}

export function proxy_on_upstream_select(context: i32): void {
  if (addresses.length == 0) return
  turn = (turn + 1) % addresses.length
  setUpstream(addresses[turn], ports[turn])
}
