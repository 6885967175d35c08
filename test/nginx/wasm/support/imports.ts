// Every function that a Proxy-Wasm 0.2 filter may import, with the parameters of the specification, of the
// upstream-selection proposal, of AssemblyScript and of WASI. Written down apart from the host, to compare it with.

/** Module, name, parameters (`i` i32, `I` i64, `d` f64) and result (absent: none). */
export type Import = readonly [module: string, name: string, parameters: string, result?: "i32" | "f64"]

const proxy = (name: string, parameters: string): Import => ["env", `proxy_${name}`, parameters, "i32"]
const wasi = (name: string, parameters: string): Import => ["wasi_snapshot_preview1", name, parameters, "i32"]

export const imports: readonly Import[] = [
  proxy("log", "iii"),
  proxy("get_log_level", "i"),
  proxy("get_current_time_nanoseconds", "i"),
  proxy("set_tick_period_milliseconds", "i"),
  proxy("set_effective_context", "i"),
  proxy("done", ""),
  proxy("get_buffer_bytes", "iiiii"),
  proxy("set_buffer_bytes", "iiiii"),
  proxy("get_buffer_status", "iii"),
  proxy("get_header_map_pairs", "iii"),
  proxy("set_header_map_pairs", "iii"),
  proxy("get_header_map_value", "iiiii"),
  proxy("add_header_map_value", "iiiii"),
  proxy("replace_header_map_value", "iiiii"),
  proxy("remove_header_map_value", "iii"),
  proxy("get_header_map_size", "ii"),
  proxy("get_property", "iiii"),
  proxy("set_property", "iiii"),
  proxy("send_local_response", "iiiiiiii"),
  proxy("continue_stream", "i"),
  proxy("close_stream", "i"),
  proxy("get_shared_data", "iiiii"),
  proxy("set_shared_data", "iiiii"),
  proxy("register_shared_queue", "iii"),
  proxy("resolve_shared_queue", "iiiii"),
  proxy("enqueue_shared_queue", "iii"),
  proxy("dequeue_shared_queue", "iii"),
  proxy("define_metric", "iiii"),
  proxy("increment_metric", "iI"),
  proxy("record_metric", "iI"),
  proxy("get_metric", "ii"),
  proxy("http_call", "iiiiiiiiii"),
  proxy("grpc_call", "iiiiiiiiiiii"),
  proxy("grpc_stream", "iiiiiiiii"),
  proxy("grpc_send", "iiii"),
  proxy("grpc_cancel", "i"),
  proxy("grpc_close", "i"),
  proxy("get_status", "iii"),
  proxy("call_foreign_function", "iiiiii"),
  proxy("get_configuration", "ii"),
  proxy("continue_request", ""),
  proxy("continue_response", ""),
  proxy("clear_route_cache", ""),
  proxy("set_upstream", "iiiiii"),
  proxy("accept_upstream_response", ""),
  proxy("get_upstream_timeouts", "iii"),
  proxy("set_upstream_timeouts", "iii"),
  wasi("fd_write", "iiii"),
  wasi("clock_time_get", "iIi"),
  wasi("random_get", "ii"),
  wasi("environ_sizes_get", "ii"),
  wasi("environ_get", "ii"),
  wasi("args_sizes_get", "ii"),
  wasi("args_get", "ii"),
  ["wasi_snapshot_preview1", "proc_exit", "i"],
  ["env", "abort", "iiii"],
  ["env", "seed", "", "f64"],
  ["env", "trace", "iiddddd"],
]

/** The import called `name`. */
export function importNamed(name: string): Import {
  const found = imports.find((one) => one[1] === name)
  if (found === undefined) throw new Error(`No import is called ${name}`)
  return found
}
