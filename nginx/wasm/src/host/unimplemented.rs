//! Imports that exist so that filters link, and answer UNIMPLEMENTED.

use wasmtime::{FuncType, Linker, Val, ValType};
use wick_abi::Status;

use super::state::Host;

/// Names and types, `i` for i32 and `I` for i64.
const FUNCTIONS: &[(&str, &str)] = &[
    ("proxy_set_effective_context", "i"),
    ("proxy_done", ""),
    ("proxy_set_buffer_bytes", "iiiii"),
    ("proxy_continue_stream", "i"),
    ("proxy_close_stream", "i"),
    ("proxy_register_shared_queue", "iii"),
    ("proxy_resolve_shared_queue", "iiiii"),
    ("proxy_enqueue_shared_queue", "iii"),
    ("proxy_dequeue_shared_queue", "iii"),
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
];

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    for (name, parameters) in FUNCTIONS {
        let parameters =
            parameters.chars().map(|c| if c == 'I' { ValType::I64 } else { ValType::I32 });
        let kind = FuncType::new(linker.engine(), parameters, [ValType::I32]);
        linker.func_new("env", name, kind, |_, _, results| {
            results[0] = Val::I32(Status::Unimplemented as i32);
            Ok(())
        })?;
    }
    Ok(())
}
