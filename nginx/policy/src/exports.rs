//! What a policy exports: its callbacks, looked up once per instance.

use wasmtime::{AsContextMut, Instance, TypedFunc};

/// Names of the function by which the host asks for memory, the preferred one first.
pub(crate) const ALLOCATORS: [&str; 2] = ["proxy_on_memory_allocate", "malloc"];
/// Which version of Proxy-Wasm it is for; never called.
pub(crate) const MARKERS: [&str; 2] = ["proxy_abi_version_0_2_1", "proxy_abi_version_0_2_0"];
pub(crate) const SELECT: &str = "proxy_on_upstream_select";

pub(crate) type Callback<P, R = ()> = Option<TypedFunc<P, R>>;

/// Policies export what they need; what is absent is never called.
pub(crate) struct Exports {
    pub context_create: Callback<(i32, i32)>,
    pub vm_start: Callback<(i32, i32), i32>,
    pub configure: Callback<(i32, i32), i32>,
    pub endpoints_changed: Callback<i32>,
    pub select: Callback<i32>,
    pub info: Callback<(i32, i32)>,
    pub delete: Callback<i32>,
}

/// Numbers of i32 parameters and results of every export that the host calls.
pub(crate) fn signature(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "proxy_on_memory_allocate" | "malloc" => (1, 1),
        "_initialize" => (0, 0),
        "proxy_on_shared_data_changed" | "proxy_on_delete" | SELECT => (1, 0),
        "proxy_on_context_create" | "proxy_on_upstream_info" => (2, 0),
        "proxy_on_vm_start" | "proxy_on_configure" => (2, 1),
        _ => return None,
    })
}

impl Exports {
    /// The types were checked before.
    pub fn of(instance: &Instance, mut store: impl AsContextMut) -> Exports {
        macro_rules! callback {
            ($name:expr) => {
                instance.get_typed_func(&mut store, $name).ok()
            };
        }
        Exports {
            context_create: callback!("proxy_on_context_create"),
            vm_start: callback!("proxy_on_vm_start"),
            configure: callback!("proxy_on_configure"),
            endpoints_changed: callback!("proxy_on_shared_data_changed"),
            select: callback!(SELECT),
            info: callback!("proxy_on_upstream_info"),
            delete: callback!("proxy_on_delete"),
        }
    }
}
