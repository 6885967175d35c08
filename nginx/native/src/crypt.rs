//! Hashes of passwords as nginx makes them: `{PLAIN}`, `{SHA}`, `{SSHA}` and `$apr1$` itself, all others by crypt(3).

use std::mem::zeroed;
use std::ptr::null_mut;

use ngx::ffi::{ngx_create_pool, ngx_destroy_pool, ngx_int_t, ngx_log_t, ngx_pool_t, u_char};

use crate::code::OK;

// Of ngx_crypt.h, which nginx-sys has not.
unsafe extern "C" {
    fn ngx_crypt(
        pool: *mut ngx_pool_t,
        key: *mut u_char,
        salt: *mut u_char,
        encrypted: *mut *mut u_char,
    ) -> ngx_int_t;
}

/// nginx's pools take memory in parts of this many bytes.
const POOL_BYTES: usize = 1024;

/// What `password` becomes with the settings of `hash`; neither has a zero in it. `None`: these are not supported, or there is no
/// memory. Uses nothing of the worker's, so that a thread may call it; it may take seconds.
pub fn crypt(password: &[u8], hash: &[u8]) -> Option<Vec<u8>> {
    let [mut key, mut salt] = [password, hash].map(|text| [text, b"\0"].concat());
    // SAFETY: a log is plain C data for which zero is valid. At level 0 nginx never writes into it.
    let mut log: ngx_log_t = unsafe { zeroed() };
    // SAFETY: the pool is destroyed before the log goes; ngx_crypt reads two texts that end at a zero, and leaves one in the pool.
    unsafe {
        let pool = ngx_create_pool(POOL_BYTES, &raw mut log);
        if pool.is_null() {
            return None;
        }
        let mut made = null_mut();
        let code = ngx_crypt(pool, key.as_mut_ptr(), salt.as_mut_ptr(), &raw mut made);
        let made = (code == OK && !made.is_null())
            .then(|| std::ffi::CStr::from_ptr(made.cast()).to_bytes().to_vec());
        ngx_destroy_pool(pool);
        made
    }
}
