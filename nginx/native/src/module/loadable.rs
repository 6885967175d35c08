//! What nginx looks up in a shared object.

/// Lists the modules of a shared object, with the names that nginx knows them by, and where the first of `order` stands in
/// nginx's list: before the others. Filters of a module earlier in the list are called later; without an order modules come
/// last in the list.
///
/// ```text
/// loadable_modules! {
///     "ngx_http_ingress_module": INGRESS,
///     "ngx_http_ingress_headers_module": headers::TABLE,
///     order: ["ngx_http_ingress_headers_module", "ngx_http_headers_filter_module"],
/// }
/// ```
#[macro_export]
macro_rules! loadable_modules {
    ($($name:literal: $table:path,)+ order: [$($before:literal),*] $(,)?) => {
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals)]
        pub static mut ngx_modules: [*const $crate::ffi::ngx_module_t; [$($name),+].len() + 1] =
            [$(&raw const $table,)+ std::ptr::null()];

        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals)]
        pub static mut ngx_module_names: [*const std::ffi::c_char; [$($name),+].len() + 1] =
            [$(concat!($name, "\0").as_ptr().cast(),)+ std::ptr::null()];

        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals)]
        pub static mut ngx_module_order: [*const std::ffi::c_char; <[&str]>::len(&[$($before),*]) + 1] =
            [$(concat!($before, "\0").as_ptr().cast(),)* std::ptr::null()];
    };
}
