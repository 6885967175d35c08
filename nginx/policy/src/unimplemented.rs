//! Imports that exist so that policies of any Proxy-Wasm SDK link. A policy has no use for them: they change nothing and answer
//! as a host does that has nothing of the kind.

use wasmtime::{FuncType, Linker, Val, ValType};
use wick_abi::Status;

use crate::state::State;

/// Names and types, `i` for i32 and `I` for i64.
const UNIMPLEMENTED: &[(&str, &str)] = &[
    ("proxy_set_tick_period_milliseconds", "i"),
    ("proxy_set_effective_context", "i"),
    ("proxy_done", ""),
    ("proxy_set_buffer_bytes", "iiiii"),
    ("proxy_set_header_map_pairs", "iii"),
    ("proxy_add_header_map_value", "iiiii"),
    ("proxy_replace_header_map_value", "iiiii"),
    ("proxy_remove_header_map_value", "iii"),
    ("proxy_set_property", "iiii"),
    ("proxy_send_local_response", "iiiiiiii"),
    ("proxy_continue_stream", "i"),
    ("proxy_close_stream", "i"),
    ("proxy_set_shared_data", "iiiii"),
    ("proxy_register_shared_queue", "iii"),
    ("proxy_enqueue_shared_queue", "iii"),
    ("proxy_define_metric", "iiii"),
    ("proxy_increment_metric", "iI"),
    ("proxy_record_metric", "iI"),
    ("proxy_get_metric", "ii"),
    ("proxy_http_call", "iiiiiiiiii"),
    ("proxy_grpc_call", "iiiiiiiiiiii"),
    ("proxy_grpc_stream", "iiiiiiiii"),
    ("proxy_grpc_send", "iiii"),
    ("proxy_grpc_cancel", "i"),
    ("proxy_grpc_close", "i"),
    ("proxy_get_status", "iii"),
    ("proxy_get_configuration", "ii"),
    ("proxy_continue_request", ""),
    ("proxy_continue_response", ""),
    ("proxy_clear_route_cache", ""),
    ("proxy_set_upstream", "iiiiii"),
    ("proxy_set_upstream_timeouts", "iii"),
    ("proxy_accept_upstream_response", ""),
];

const NOT_FOUND: &[(&str, &str)] = &[
    ("proxy_get_header_map_pairs", "iii"),
    ("proxy_get_header_map_size", "ii"),
    ("proxy_get_property", "iiii"),
    ("proxy_get_shared_data", "iiiii"),
    ("proxy_resolve_shared_queue", "iiiii"),
    ("proxy_dequeue_shared_queue", "iii"),
];

pub(crate) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let all = [(UNIMPLEMENTED, Status::Unimplemented), (NOT_FOUND, Status::NotFound)];
    for (functions, answer) in all {
        for (name, parameters) in functions {
            let parameters =
                parameters.chars().map(|c| if c == 'I' { ValType::I64 } else { ValType::I32 });
            let kind = FuncType::new(linker.engine(), parameters, [ValType::I32]);
            linker.func_new("env", name, kind, move |_, _, results| {
                results[0] = Val::I32(answer as i32);
                Ok(())
            })?;
        }
    }
    Ok(())
}
