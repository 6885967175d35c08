//! What a filter exports: its callbacks, looked up once per instance.

use wasmtime::{AsContextMut, Instance, TypedFunc};
use wick_abi::{Callback as Kind, CallbackSet};

/// Names of the function by which the host asks for memory, the preferred one first.
pub const ALLOCATORS: [&str; 2] = ["proxy_on_memory_allocate", "malloc"];

/// A callback that a filter may have.
pub type Callback<P, R = ()> = Option<TypedFunc<P, R>>;

/// Filters export what they need; what is absent is never called.
pub struct Exports {
    pub context_create: Callback<(i32, i32)>,
    pub vm_start: Callback<(i32, i32), i32>,
    pub configure: Callback<(i32, i32), i32>,
    pub tick: Callback<i32>,
    pub shared_data_changed: Callback<i32>,
    pub request_headers: Callback<(i32, i32, i32), i32>,
    pub request_body: Callback<(i32, i32, i32), i32>,
    pub response_headers: Callback<(i32, i32, i32), i32>,
    /// Never called; that it is there is worth a warning.
    pub response_body: Callback<(i32, i32, i32), i32>,
    pub upstream_select: Callback<i32>,
    pub next_upstream: Callback<(i32, i32)>,
    pub upstream_info: Callback<(i32, i32)>,
    pub done: Callback<i32, i32>,
    pub log: Callback<i32>,
    pub delete: Callback<i32>,
}

/// Numbers of i32 parameters and results of every export that the host calls.
pub fn signature(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "proxy_on_memory_allocate" | "malloc" | "proxy_on_done" => (1, 1),
        "proxy_on_tick" | "proxy_on_shared_data_changed" | "proxy_on_log" => (1, 0),
        "proxy_on_delete" | "proxy_on_upstream_select" => (1, 0),
        "proxy_on_context_create" | "proxy_on_next_upstream" | "proxy_on_upstream_info" => (2, 0),
        "proxy_on_vm_start" | "proxy_on_configure" => (2, 1),
        "proxy_on_request_headers" | "proxy_on_request_body" | "proxy_on_response_headers" => {
            (3, 1)
        }
        _ => return None,
    })
}

impl Exports {
    /// The types were checked when the module was compiled.
    pub fn of(instance: &Instance, mut store: impl AsContextMut) -> Exports {
        macro_rules! callback {
            ($name:literal) => {
                instance.get_typed_func(&mut store, $name).ok()
            };
        }
        Exports {
            context_create: callback!("proxy_on_context_create"),
            vm_start: callback!("proxy_on_vm_start"),
            configure: callback!("proxy_on_configure"),
            tick: callback!("proxy_on_tick"),
            shared_data_changed: callback!("proxy_on_shared_data_changed"),
            request_headers: callback!("proxy_on_request_headers"),
            request_body: callback!("proxy_on_request_body"),
            response_headers: callback!("proxy_on_response_headers"),
            response_body: callback!("proxy_on_response_body"),
            upstream_select: callback!("proxy_on_upstream_select"),
            next_upstream: callback!("proxy_on_next_upstream"),
            upstream_info: callback!("proxy_on_upstream_info"),
            done: callback!("proxy_on_done"),
            log: callback!("proxy_on_log"),
            delete: callback!("proxy_on_delete"),
        }
    }

    /// The callbacks that HTTP contexts get unless the filter asks for fewer.
    pub fn callbacks(&self) -> CallbackSet {
        let context = self.context_create.is_some() || self.done.is_some() || self.delete.is_some();
        [
            (self.request_headers.is_some(), Kind::RequestHeaders),
            (self.request_body.is_some(), Kind::RequestBody),
            (self.response_headers.is_some(), Kind::ResponseHeaders),
            (self.response_body.is_some(), Kind::ResponseBody),
            (self.upstream_select.is_some(), Kind::UpstreamSelect),
            (self.next_upstream.is_some(), Kind::NextUpstream),
            (self.upstream_info.is_some(), Kind::UpstreamInfo),
            (self.log.is_some(), Kind::Log),
            (context, Kind::Context),
        ]
        .into_iter()
        .filter(|(exported, _)| *exported)
        .fold(CallbackSet::NONE, |set, (_, callback)| set.with(callback))
    }
}
