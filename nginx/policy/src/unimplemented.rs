//! Imports that exist so that policies of any Proxy-Wasm SDK link. A policy has no use for them.

use wasmtime::Linker;
use wick_abi::Status;
use wick_guest::unimplemented::{Function, NOWHERE, QUEUES, link as link_with};

use crate::state::State;

/// What would change something beside the policy's choice.
const CHANGES: &[Function] = &[
    ("proxy_set_tick_period_milliseconds", "i"),
    ("proxy_set_header_map_pairs", "iii"),
    ("proxy_add_header_map_value", "iiiii"),
    ("proxy_replace_header_map_value", "iiiii"),
    ("proxy_remove_header_map_value", "iii"),
    ("proxy_set_property", "iiii"),
    ("proxy_send_local_response", "iiiiiiii"),
    ("proxy_set_shared_data", "iiiii"),
    ("proxy_set_upstream", "iiiiii"),
    ("proxy_set_upstream_timeouts", "iii"),
    ("proxy_accept_upstream_response", ""),
];

/// What it would read that is not there.
const ABSENT: &[Function] = &[
    ("proxy_get_header_map_pairs", "iii"),
    ("proxy_get_header_map_size", "ii"),
    ("proxy_get_property", "iiii"),
    ("proxy_get_shared_data", "iiiii"),
];

pub(crate) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    link_with(linker, NOWHERE, Status::Unimplemented)?;
    link_with(linker, CHANGES, Status::Unimplemented)?;
    link_with(linker, QUEUES, Status::NotFound)?;
    link_with(linker, ABSENT, Status::NotFound)
}
