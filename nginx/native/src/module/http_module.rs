//! An HTTP module: its tables.

/// Writes the tables of an HTTP module as a static. All parts but the first line are optional:
///
/// ```text
/// http_module! {
///     pub static TABLE at MODULE;                 // the ModuleIndex by which the module's own code finds what is made here
///     directives {
///         "ingress_set_header": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2, main_conf => set;
///     }
///     main_conf: MainConf,                        // made by `Default`, one per configuration …
///     srv_conf: SrvConf,                          // … per server or upstream block …
///     loc_conf: LocConf,                          // … and per location
///     merge_loc_conf: inherit,                    // fn(&LocConf, &mut LocConf): outer and inner
///     preconfiguration: declare,                  // fn(Conf) -> Option<()>; `None`: refused, and the log says why
///     postconfiguration: install,                 // the same, when `http` was read
///     init_module: take_listeners,                // unsafe fn(*mut ngx_cycle_t), when the configuration comes into force;
///                                                 // it is promised a live cycle
/// }
/// ```
#[macro_export]
macro_rules! http_module {
    (
        $(#[$doc:meta])*
        $visible:vis static $table:ident at $index:path;
        $(directives { $($directives:tt)* })?
        $(main_conf: $main_conf:ty,)?
        $(srv_conf: $srv_conf:ty,)?
        $(loc_conf: $loc_conf:ty,)?
        $(merge_loc_conf: $merge_loc_conf:path,)?
        $(preconfiguration: $preconfiguration:path,)?
        $(postconfiguration: $postconfiguration:path,)?
        $(init_module: $init_module:path,)?
    ) => {
        $(#[$doc])*
        $visible static mut $table: $crate::ffi::ngx_module_t = {
            // What `, main_conf =>` and the like mean in a directive.
            $(#[allow(non_camel_case_types)] type main_conf = $main_conf;)?
            $(#[allow(non_camel_case_types)] type srv_conf = $srv_conf;)?
            $(#[allow(non_camel_case_types)] type loc_conf = $loc_conf;)?

            static mut HOOKS: $crate::ffi::ngx_http_module_t = {
                let mut hooks = $crate::module::tables::NO_HOOKS;
                $(hooks.create_main_conf = Some($crate::module::tables::create_conf::<$main_conf>);)?
                $(hooks.create_srv_conf = Some($crate::module::tables::create_conf::<$srv_conf>);)?
                $(hooks.create_loc_conf = Some($crate::module::tables::create_conf::<$loc_conf>);)?
                $(
                    unsafe extern "C" fn __merge_loc_conf(
                        _: *mut $crate::ffi::ngx_conf_t,
                        outer: *mut std::ffi::c_void,
                        inner: *mut std::ffi::c_void,
                    ) -> *mut std::ffi::c_char {
                        // SAFETY: nginx calls with what was created, and nobody else refers to it.
                        unsafe { $merge_loc_conf(&*outer.cast(), &mut *inner.cast::<loc_conf>()) };
                        $crate::conf::CONF_OK
                    }
                    hooks.merge_loc_conf = Some(__merge_loc_conf);
                )?
                unsafe extern "C" fn __preconfiguration(
                    cf: *mut $crate::ffi::ngx_conf_t,
                ) -> $crate::ffi::ngx_int_t {
                    #[allow(unused_mut, unused_assignments)]
                    let mut hook: Option<$crate::module::tables::Hook> = None;
                    $(hook = Some($preconfiguration);)?
                    // SAFETY: nginx has registered the module; its parser is calling, inside `http`.
                    unsafe {
                        $index.set((*(&raw const $table)).ctx_index);
                        $crate::module::tables::configure(cf, hook)
                    }
                }
                hooks.preconfiguration = Some(__preconfiguration);
                $(
                    unsafe extern "C" fn __postconfiguration(
                        cf: *mut $crate::ffi::ngx_conf_t,
                    ) -> $crate::ffi::ngx_int_t {
                        // SAFETY: nginx's parser is calling, inside `http`.
                        unsafe { $crate::module::tables::configure(cf, Some($postconfiguration)) }
                    }
                    hooks.postconfiguration = Some(__postconfiguration);
                )?
                hooks
            };
            #[allow(unused_mut)]
            let mut table = $crate::ffi::ngx_module_t {
                ctx: (&raw mut HOOKS).cast(),
                type_: $crate::ffi::NGX_HTTP_MODULE as usize,
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
