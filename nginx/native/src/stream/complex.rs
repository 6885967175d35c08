//! Text with variables of sessions, compiled once, evaluated per session.

use ngx::ffi::{ngx_str_t, ngx_stream_compile_complex_value_t, ngx_stream_complex_value_t};

use super::functions;
use super::session::Session;
use crate::code::OK;
use crate::conf::Conf;
use crate::text::{EMPTY, bytes};

#[derive(Clone, Copy)]
pub struct Complex(ngx_stream_complex_value_t);

impl Complex {
    /// Compiles `text`; `None` when nginx refused it and said why in the log.
    pub fn compile(cf: Conf, text: &[u8]) -> Option<Complex> {
        let mut copy = cf.pool().copy_str(text)?;
        // SAFETY: both structures are plain C data that nginx fills; the text lives in the configuration's pool as the compiled
        // value does.
        unsafe {
            let mut value: ngx_stream_complex_value_t = std::mem::zeroed();
            let mut task: ngx_stream_compile_complex_value_t = std::mem::zeroed();
            task.cf = cf.as_ptr();
            task.value = &mut copy;
            task.complex_value = &mut value;
            ((functions().compile)(&mut task) == OK).then_some(Complex(value))
        }
    }

    /// The text for this session, in its pool; `None` when out of memory.
    pub fn evaluate<'s>(&self, s: Session<'s>) -> Option<&'s [u8]> {
        let mut out: ngx_str_t = EMPTY;
        let compiled = std::ptr::from_ref(&self.0).cast_mut();
        // SAFETY: nginx only reads the compiled value; `out` ends up in the session's pool.
        unsafe {
            ((functions().evaluate)(s.as_ptr(), compiled, &mut out) == OK).then(|| bytes(out))
        }
    }
}
