//! A place at each connection for something of ours.

use std::ffi::{c_int, c_long, c_void};
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    CRYPTO_EX_DATA, CRYPTO_EX_INDEX_SSL, CRYPTO_get_ex_new_index, SSL_get_ex_data, SSL_set_ex_data,
};

use super::connection::Connection;
use super::failure::Failure;
use crate::guard::guard;

/// The place of a `T`, which is dropped with its connection. There are few of them in a process, so one is taken once.
pub struct Slot<T>(c_int, PhantomData<fn() -> T>);

impl<T> Slot<T> {
    /// # Errors: out of memory.
    pub fn take() -> Result<Slot<T>, Failure> {
        unsafe extern "C" fn drop_box<T>(
            _: *mut c_void,
            kept: *mut c_void,
            _: *mut CRYPTO_EX_DATA,
            _: c_int,
            _: c_long,
            _: *mut c_void,
        ) {
            if !kept.is_null() {
                // SAFETY: what `put` left there, once.
                guard((), || drop(unsafe { Box::from_raw(kept.cast::<T>()) }));
            }
        }
        let class = CRYPTO_EX_INDEX_SSL as c_int;
        // SAFETY: the function takes back what `put` leaves there.
        let index = unsafe {
            CRYPTO_get_ex_new_index(class, 0, null_mut(), None, None, Some(drop_box::<T>))
        };
        if index < 0 { Err(Failure::take()) } else { Ok(Slot(index, PhantomData)) }
    }

    /// Puts `value` at the connection, in the place of what was there.
    ///
    /// # Safety
    /// What [`Slot::get`] returned for the connection is not used any more.
    ///
    /// # Errors: out of memory; what was there is gone in any case.
    pub unsafe fn put(&self, connection: Connection<'_>, value: T) -> Result<(), Failure> {
        let kept = NonNull::from(Box::leak(Box::new(value)));
        let old = self.raw(connection);
        // SAFETY: a live connection; what is old was left here by `put`, and nobody refers to it (the caller's promise).
        unsafe {
            let done = SSL_set_ex_data(connection.as_ptr(), self.0, kept.as_ptr().cast()) == 1;
            if let Some(old) = old {
                drop(Box::from_raw(old.as_ptr()));
            }
            if done {
                return Ok(());
            }
            drop(Box::from_raw(kept.as_ptr()));
        }
        Err(Failure::take())
    }

    /// What is there; good until the connection ends or something else is put.
    pub fn get<'c>(&self, connection: Connection<'c>) -> Option<&'c T> {
        // SAFETY: what `put` left there, which does not put anything else while this is used.
        self.raw(connection).map(|kept| unsafe { kept.as_ref() })
    }

    fn raw(&self, connection: Connection<'_>) -> Option<NonNull<T>> {
        // SAFETY: a live connection.
        NonNull::new(unsafe { SSL_get_ex_data(connection.as_ptr(), self.0) }.cast())
    }
}
