//! Imports that exist so that guests of any Proxy-Wasm SDK link. They change nothing and answer as a host does that has nothing
//! of the kind.

use wasmtime::{FuncType, Linker, Val, ValType};
use wick_abi::Status;

/// A function's name and the types of its parameters: `i` for i32 and `I` for i64.
pub type Function = (&'static str, &'static str);

/// What none of our hosts has.
pub const NOWHERE: &[Function] = &[
    ("proxy_set_effective_context", "i"),
    ("proxy_done", ""),
    ("proxy_set_buffer_bytes", "iiiii"),
    ("proxy_continue_stream", "i"),
    ("proxy_close_stream", "i"),
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
];

/// What reads queues, which none of our hosts has.
pub const QUEUES: &[Function] =
    &[("proxy_resolve_shared_queue", "iiiii"), ("proxy_dequeue_shared_queue", "iii")];

/// Defines functions that return `answer` whatever they are asked.
/// # Errors
/// One of them is defined already.
pub fn link<E: 'static>(
    linker: &mut Linker<E>,
    functions: &[Function],
    answer: Status,
) -> wasmtime::Result<()> {
    for (name, parameters) in functions {
        let parameters =
            parameters.chars().map(|c| if c == 'I' { ValType::I64 } else { ValType::I32 });
        let kind = FuncType::new(linker.engine(), parameters, [ValType::I32]);
        linker.func_new("env", name, kind, move |_, _, results| {
            results[0] = Val::I32(answer as i32);
            Ok(())
        })?;
    }
    Ok(())
}
