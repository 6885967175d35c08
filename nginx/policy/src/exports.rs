//! What a policy exports: its callbacks.

/// The start-up function of compilers.
pub(crate) const INITIALIZE: &str = "_initialize";
pub(crate) const SELECT: &str = "proxy_on_upstream_select";

wick_guest::exports! {
    /// Policies export what they need; what is absent is never called.
    pub(crate) struct Exports {
        context_create: "proxy_on_context_create"(i32, i32);
        vm_start: "proxy_on_vm_start"(i32, i32) -> i32;
        configure: "proxy_on_configure"(i32, i32) -> i32;
        endpoints_changed: "proxy_on_shared_data_changed"(i32);
        select: "proxy_on_upstream_select"(i32);
        info: "proxy_on_upstream_info"(i32, i32);
        delete: "proxy_on_delete"(i32);
    }
}

/// Numbers of i32 parameters and results of every export that the host calls.
pub(crate) fn signature(name: &str) -> Option<(usize, usize)> {
    if name == INITIALIZE { Some((0, 0)) } else { Exports::signature(name) }
}
