//! The directives of a module.

/// A table of directives: `"name": WHERE | HOW_MANY, conf => handler;`. With `main_conf`, `srv_conf` or `loc_conf` in the
/// place of `conf` the handler is a `fn(Conf, &mut T) -> Answer`, `T` being the type that the module has for it; without
/// it is a `fn(Conf) -> Answer`.
#[macro_export]
macro_rules! directives {
    ($($name:literal: $kind:expr $(, $conf:ident)? => $handler:path;)*) => {{
        const COUNT: usize = [$($name),*].len();
        static mut DIRECTIVES: [$crate::ffi::ngx_command_t; COUNT + 1] = [
            $($crate::directive!($name, $kind, $handler $(, $conf)?),)*
            $crate::ffi::ngx_command_t::empty(),
        ];
        (&raw mut DIRECTIVES).cast()
    }};
}

/// One directive of [`directives!`].
#[doc(hidden)]
#[macro_export]
macro_rules! directive {
    ($name:literal, $kind:expr, $handler:path) => {{
        unsafe extern "C" fn __set(
            cf: *mut $crate::ffi::ngx_conf_t,
            _: *mut $crate::ffi::ngx_command_t,
            _: *mut std::ffi::c_void,
        ) -> *mut std::ffi::c_char {
            // SAFETY: nginx's parser is calling.
            let conf = unsafe { $crate::conf::Conf::from_raw(cf) };
            $crate::guard::guard($crate::conf::CONF_ERROR, || $handler(conf))
        }
        $crate::module::tables::command(
            $crate::module::tables::ngx_string!($name),
            $kind as usize,
            __set,
            0,
        )
    }};
    ($name:literal, $kind:expr, $handler:path, $conf:ident) => {{
        unsafe extern "C" fn __set(
            cf: *mut $crate::ffi::ngx_conf_t,
            _: *mut $crate::ffi::ngx_command_t,
            conf: *mut std::ffi::c_void,
        ) -> *mut std::ffi::c_char {
            // SAFETY: nginx's parser is calling, with what the module's hook of this type created.
            $crate::guard::guard($crate::conf::CONF_ERROR, || unsafe {
                $handler($crate::conf::Conf::from_raw(cf), &mut *conf.cast::<$conf>())
            })
        }
        $crate::module::tables::command(
            $crate::module::tables::ngx_string!($name),
            $kind as usize,
            __set,
            std::mem::offset_of!($crate::ffi::ngx_http_conf_ctx_t, $conf),
        )
    }};
}
