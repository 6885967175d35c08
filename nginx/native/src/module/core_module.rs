//! A core module, one that nginx calls outside of `http`: its tables, and its configuration found by cycle.

use std::ptr::null_mut;

use ngx::ffi::{ngx_cycle_t, ngx_http_conf_ctx_t, ngx_http_module};

/// The configuration of the core module with this `index` in a cycle; null before it was created.
///
/// # Safety
/// `cycle` is live, and `T` is what the module created.
pub unsafe fn core_conf<T>(cycle: *const ngx_cycle_t, index: usize) -> *mut T {
    // SAFETY: conf_ctx has one slot per module index.
    unsafe {
        let all = (*cycle).conf_ctx;
        if all.is_null() { null_mut() } else { (*all.add(index)).cast() }
    }
}

/// The main configuration of the HTTP module with this `ctx_index` in a cycle; `None` without an `http` block.
///
/// # Safety
/// `cycle` is live and its configuration was read, and `T` is what the module created.
pub unsafe fn http_main_of_cycle<'a, T>(
    cycle: *const ngx_cycle_t,
    ctx_index: usize,
) -> Option<&'a T> {
    // SAFETY: the http module keeps an ngx_http_conf_ctx_t, with a slot for each HTTP module.
    unsafe {
        let http = core_conf::<ngx_http_conf_ctx_t>(cycle, ngx_http_module.index).as_ref()?;
        (*http.main_conf.add(ctx_index)).cast::<T>().as_ref()
    }
}

/// Writes the tables of a core module as a static. All parts but the first line are optional:
///
/// ```text
/// core_module! {
///     static WASM: "wasm";                        // the name that nginx's messages have
///     directives {
///         "wasm": NGX_MAIN_CONF | NGX_CONF_BLOCK | NGX_CONF_NOARGS => block::wasm;
///     }
///     type: 0x4d53_4157,                          // of a block's own directives; a core module's if absent
///     conf: MainConf => module::WASM,             // made by `Default`, one per cycle; and the ModuleIndex that finds it
///     init_conf: compile,                         // unsafe fn(*mut ngx_cycle_t) -> Option<()>, when all was read;
///                                                 // `None`: refused, and the log says why
///     init_module: prepare,                       // unsafe fn(*mut ngx_cycle_t), when the configuration comes into force
///     init_process: start,                        // unsafe fn(*mut ngx_cycle_t), in each process
///     exit_process: end,                          // the same
///     exit_master: end,                           // the same, in the master
/// }
/// ```
///
/// Unsafe hooks are promised a live cycle.
#[macro_export]
macro_rules! core_module {
    (
        $(#[$doc:meta])*
        $visible:vis static $table:ident: $name:literal;
        $(directives { $($directives:tt)* })?
        $(type: $type:expr,)?
        $(conf: $conf:ty => $index:path,)?
        $(init_conf: $init_conf:path,)?
        $(init_module: $init_module:path,)?
        $(init_process: $init_process:path,)?
        $(exit_process: $exit_process:path,)?
        $(exit_master: $exit_master:path,)?
    ) => {
        $(#[$doc])*
        $visible static mut $table: $crate::ffi::ngx_module_t = {
            static mut CONTEXT: $crate::ffi::ngx_core_module_t = {
                #[allow(unused_mut)]
                let mut context = $crate::module::tables::core_context(
                    $crate::module::tables::ngx_string!($name),
                );
                $(
                    unsafe extern "C" fn __create_conf(
                        cycle: *mut $crate::ffi::ngx_cycle_t,
                    ) -> *mut std::ffi::c_void {
                        // SAFETY: nginx has registered the module, and calls with a cycle that it makes.
                        unsafe {
                            $index.set((*(&raw const $table)).index);
                            $crate::module::tables::create_core_conf::<$conf>(cycle)
                        }
                    }
                    context.create_conf = Some(__create_conf);
                )?
                $(
                    unsafe extern "C" fn __init_conf(
                        cycle: *mut $crate::ffi::ngx_cycle_t,
                        _: *mut std::ffi::c_void,
                    ) -> *mut std::ffi::c_char {
                        // SAFETY: nginx calls with a cycle whose configuration was read.
                        $crate::module::tables::answer(|| unsafe { $init_conf(cycle) })
                    }
                    context.init_conf = Some(__init_conf);
                )?
                context
            };
            #[allow(unused_mut)]
            let mut table = $crate::ffi::ngx_module_t {
                ctx: (&raw mut CONTEXT).cast(),
                type_: $crate::ffi::NGX_CORE_MODULE as usize,
                ..$crate::ffi::ngx_module_t::default()
            };
            $(table.type_ = $type;)?
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
            $(
                unsafe extern "C" fn __init_process(
                    cycle: *mut $crate::ffi::ngx_cycle_t,
                ) -> $crate::ffi::ngx_int_t {
                    // SAFETY: nginx calls with the cycle of the process.
                    $crate::module::tables::code(|| unsafe { $init_process(cycle) })
                }
                table.init_process = Some(__init_process);
            )?
            $(
                unsafe extern "C" fn __exit_process(cycle: *mut $crate::ffi::ngx_cycle_t) {
                    // SAFETY: as above.
                    $crate::guard::guard((), || unsafe { $exit_process(cycle) });
                }
                table.exit_process = Some(__exit_process);
            )?
            $(
                unsafe extern "C" fn __exit_master(cycle: *mut $crate::ffi::ngx_cycle_t) {
                    // SAFETY: as above.
                    $crate::guard::guard((), || unsafe { $exit_master(cycle) });
                }
                table.exit_master = Some(__exit_master);
            )?
            table
        };
    };
}
