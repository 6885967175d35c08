/**
 * Callbacks that do nothing: ngx_wasm_module calls them for every request, whether a filter has them or not. Our host calls none of them, as no role
 * asks for them (contexts.ts).
 */
import { Action } from "./abi"

export function proxy_on_request_trailers(context: i32, count: i32): i32 {
  return Action.CONTINUE
}

export function proxy_on_response_headers(context: i32, count: i32, isEnd: i32): i32 {
  return Action.CONTINUE
}

export function proxy_on_response_body(context: i32, size: i32, isEnd: i32): i32 {
  return Action.CONTINUE
}

export function proxy_on_response_trailers(context: i32, count: i32): i32 {
  return Action.CONTINUE
}

export function proxy_on_next_upstream(context: i32, status: i32): void {}

export function proxy_on_done(context: i32): i32 {
  return 1
}

export function proxy_on_log(context: i32): void {}
