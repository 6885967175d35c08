//! A module of nginx's `stream`: its tables.

use ngx::ffi::{ngx_http_conf_ctx_t, ngx_stream_conf_ctx_t};

// `directives!` finds configurations by HTTP's offsets.
const _: () = {
    use std::mem::offset_of;
    assert!(
        offset_of!(ngx_stream_conf_ctx_t, main_conf) == offset_of!(ngx_http_conf_ctx_t, main_conf)
    );
    assert!(
        offset_of!(ngx_stream_conf_ctx_t, srv_conf) == offset_of!(ngx_http_conf_ctx_t, srv_conf)
    );
};

/// Writes the tables of a module of `stream` as a static. It does nothing in an nginx without the stream module. All parts but
/// the first line are optional:
///
/// ```text
/// stream_module! {
///     pub static STREAM at MODULE;                // the ModuleIndex by which the module's own code finds what is made here
///     directives {
///         "proxy_wasm": NGX_STREAM_SRV_CONF | NGX_CONF_1MORE, srv_conf => proxy_wasm;
///     }
///     main_conf: MainConf,                        // made by `Default`, one per `stream` …
///     srv_conf: SrvConf,                          // … and one per server or upstream block
///     merge_srv_conf: inherit,                    // fn(&SrvConf, &mut SrvConf): outer and inner
///     postconfiguration: declare,                 // fn(Conf) -> Option<()>, when `stream` was read: the stream module itself may
///                                                 // stand behind ours, and has no variables before. `None`: refused, and the log
///                                                 // says why
///     init_module: widen,                         // unsafe fn(*mut ngx_cycle_t), when the configuration comes into force;
///                                                 // it is promised a live cycle
/// }
/// ```
#[macro_export]
macro_rules! stream_module {
    (
        $(#[$doc:meta])*
        $visible:vis static $table:ident at $index:path;
        $(directives { $($directives:tt)* })?
        $(main_conf: $main_conf:ty,)?
        $(srv_conf: $srv_conf:ty,)?
        $(merge_srv_conf: $merge_srv_conf:path,)?
        $(postconfiguration: $postconfiguration:path,)?
        $(init_module: $init_module:path,)?
    ) => {
        $(#[$doc])*
        $visible static mut $table: $crate::ffi::ngx_module_t = {
            // What `, main_conf =>` and `, srv_conf =>` mean in a directive.
            $(#[allow(non_camel_case_types, dead_code)] type main_conf = $main_conf;)?
            $(#[allow(non_camel_case_types)] type srv_conf = $srv_conf;)?

            static mut HOOKS: $crate::ffi::ngx_stream_module_t = {
                let mut hooks = $crate::module::tables::NO_STREAM_HOOKS;
                $(hooks.create_main_conf = Some($crate::module::tables::create_conf::<$main_conf>);)?
                $(hooks.create_srv_conf = Some($crate::module::tables::create_conf::<$srv_conf>);)?
                $(
                    unsafe extern "C" fn __merge_srv_conf(
                        _: *mut $crate::ffi::ngx_conf_t,
                        outer: *mut std::ffi::c_void,
                        inner: *mut std::ffi::c_void,
                    ) -> *mut std::ffi::c_char {
                        // SAFETY: nginx calls with what was created, and nobody else refers to it.
                        unsafe { $merge_srv_conf(&*outer.cast(), &mut *inner.cast::<srv_conf>()) };
                        $crate::conf::CONF_OK
                    }
                    hooks.merge_srv_conf = Some(__merge_srv_conf);
                )?
                unsafe extern "C" fn __preconfiguration(
                    cf: *mut $crate::ffi::ngx_conf_t,
                ) -> $crate::ffi::ngx_int_t {
                    // SAFETY: nginx has registered the module; its parser is calling, inside `stream`.
                    unsafe {
                        $index.set((*(&raw const $table)).ctx_index);
                        $crate::module::tables::configure(cf, Some(|_| $crate::stream::link()))
                    }
                }
                hooks.preconfiguration = Some(__preconfiguration);
                $(
                    unsafe extern "C" fn __postconfiguration(
                        cf: *mut $crate::ffi::ngx_conf_t,
                    ) -> $crate::ffi::ngx_int_t {
                        // SAFETY: as above.
                        unsafe { $crate::module::tables::configure(cf, Some($postconfiguration)) }
                    }
                    hooks.postconfiguration = Some(__postconfiguration);
                )?
                hooks
            };
            #[allow(unused_mut)]
            let mut table = $crate::ffi::ngx_module_t {
                ctx: (&raw mut HOOKS).cast(),
                type_: $crate::ffi::NGX_STREAM_MODULE as usize,
                ..$crate::ffi::ngx_module_t::default()
            };
            $(table.commands = $crate::directives!($($directives)*);)?
            $(
                unsafe extern "C" fn __init_module(
                    cycle: *mut $crate::ffi::ngx_cycle_t,
                ) -> $crate::ffi::ngx_int_t {
                    // SAFETY: nginx calls with the cycle that comes into force. An error would end a running master.
                    $crate::guard::guard((), || unsafe { $init_module(cycle) });
                    $crate::code::OK
                }
                table.init_module = Some(__init_module);
            )?
            table
        };
    };
}
