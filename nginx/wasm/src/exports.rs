//! What a filter exports: its callbacks.

use wick_abi::{Callback as Kind, CallbackSet};

wick_guest::exports! {
    /// Filters export what they need; what is absent is never called.
    pub struct Exports {
        context_create: "proxy_on_context_create"(i32, i32);
        vm_start: "proxy_on_vm_start"(i32, i32) -> i32;
        configure: "proxy_on_configure"(i32, i32) -> i32;
        tick: "proxy_on_tick"(i32);
        shared_data_changed: "proxy_on_shared_data_changed"(i32);
        request_headers: "proxy_on_request_headers"(i32, i32, i32) -> i32;
        request_body: "proxy_on_request_body"(i32, i32, i32) -> i32;
        response_headers: "proxy_on_response_headers"(i32, i32, i32) -> i32;
        /// Never called; that it is there is worth a warning.
        response_body: "proxy_on_response_body"(i32, i32, i32) -> i32;
        upstream_select: "proxy_on_upstream_select"(i32);
        next_upstream: "proxy_on_next_upstream"(i32, i32);
        upstream_info: "proxy_on_upstream_info"(i32, i32);
        done: "proxy_on_done"(i32) -> i32;
        log: "proxy_on_log"(i32);
        delete: "proxy_on_delete"(i32);
    }
}

impl Exports {
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
