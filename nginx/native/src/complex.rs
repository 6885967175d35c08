//! Text with variables (`backends/$proxy_upstream_name`), compiled once, evaluated per request.

use std::ptr::NonNull;

use ngx::ffi::{
    ngx_http_compile_complex_value, ngx_http_compile_complex_value_t, ngx_http_complex_value,
    ngx_http_complex_value_t, ngx_str_t,
};

use crate::code::OK;
use crate::conf::Conf;
use crate::request::Request;
use crate::text::{EMPTY, bytes};

#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Complex(ngx_http_complex_value_t);

impl Complex {
    /// Compiles `text`; `None` when nginx refused it and said why in the log.
    pub fn compile(cf: Conf, text: &[u8]) -> Option<Complex> {
        let mut copy = cf.pool().copy_str(text)?;
        // SAFETY: both structures are plain C data that nginx fills; the text lives in the
        // configuration's pool as the compiled value does.
        unsafe {
            let mut value: ngx_http_complex_value_t = std::mem::zeroed();
            let mut task: ngx_http_compile_complex_value_t = std::mem::zeroed();
            task.cf = cf.as_ptr();
            task.value = &mut copy;
            task.complex_value = &mut value;
            (ngx_http_compile_complex_value(&mut task) == OK).then_some(Complex(value))
        }
    }

    /// One that nginx compiled for itself.
    ///
    /// # Safety
    /// It lives as long as the reference is used.
    pub unsafe fn from_raw<'a>(value: NonNull<ngx_http_complex_value_t>) -> &'a Complex {
        // SAFETY: the caller's promise; the representation is the same.
        unsafe { value.cast::<Complex>().as_ref() }
    }

    /// Whether the text hangs on the request.
    pub fn has_variables(&self) -> bool {
        !self.0.lengths.is_null()
    }

    /// The text for this request, in its pool; `None` when out of memory.
    pub fn evaluate<'r>(&self, r: Request<'r>) -> Option<&'r [u8]> {
        let mut out: ngx_str_t = EMPTY;
        let compiled = std::ptr::from_ref(&self.0).cast_mut();
        // SAFETY: nginx only reads the compiled value; `out` ends up in the request's pool.
        unsafe {
            (ngx_http_complex_value(r.as_ptr(), compiled, &mut out) == OK).then(|| bytes(out))
        }
    }
}
