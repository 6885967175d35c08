//! nginx's memory pools: freed all at once when their owner (request, configuration) ends.

use std::alloc::Layout;
use std::ffi::c_void;
use std::iter::successors;
use std::marker::PhantomData;
use std::ptr::{NonNull, copy_nonoverlapping, fn_addr_eq, null_mut};

use ngx::ffi::{
    ngx_create_pool, ngx_destroy_pool, ngx_palloc, ngx_pcalloc, ngx_pfree, ngx_pnalloc,
    ngx_pool_cleanup_t, ngx_pool_t, ngx_str_t,
};

use crate::guard::guard;
use crate::{log, text};

/// A value, and what drops it.
#[repr(C)]
struct Kept<T> {
    cleanup: ngx_pool_cleanup_t,
    value: T,
}

/// Not in a list yet.
fn cleanup(handler: unsafe extern "C" fn(*mut c_void), data: *mut c_void) -> ngx_pool_cleanup_t {
    ngx_pool_cleanup_t { handler: Some(handler), data, next: null_mut() }
}

/// A pool that is not destroyed before `'p` ends. `None` from an allocation means: out of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pool<'p>(NonNull<ngx_pool_t>, PhantomData<&'p ngx_pool_t>);

impl<'p> Pool<'p> {
    /// # Safety
    /// `pool` is a live pool, and is not destroyed before `'p` ends.
    pub unsafe fn from_raw(pool: *mut ngx_pool_t) -> Pool<'p> {
        // SAFETY: the caller's promise.
        Pool(unsafe { NonNull::new_unchecked(pool) }, PhantomData)
    }

    pub fn as_ptr(self) -> *mut ngx_pool_t {
        self.0.as_ptr()
    }

    /// Moves `value` into the pool. Its destructor never runs; use [`Pool::keep`] when it has one.
    #[inline]
    pub fn put<T>(self, value: T) -> Option<NonNull<T>> {
        const { assert!(align_of::<T>() <= align_of::<usize>() && !std::mem::needs_drop::<T>()) };
        // SAFETY: a live pool; ngx_palloc aligns to a word, which suffices for T (asserted above).
        let place = NonNull::new(unsafe { ngx_palloc(self.as_ptr(), size_of::<T>()) })?.cast::<T>();
        debug_assert!(place.is_aligned());
        // SAFETY: fresh memory of the right size.
        unsafe { place.write(value) };
        Some(place)
    }

    /// Zeroed memory for a `T` whose all-zero bytes are valid.
    ///
    /// # Safety
    /// All-zero bytes are a valid `T` (nginx's structures, `repr(C)` of integers and pointers).
    pub unsafe fn zeroed<T>(self) -> Option<NonNull<T>> {
        // SAFETY: a live pool.
        NonNull::new(unsafe { ngx_pcalloc(self.as_ptr(), size_of::<T>()) }.cast())
    }

    /// `len` bytes, unaligned and not initialised.
    #[inline]
    pub fn raw(self, len: usize) -> Option<NonNull<u8>> {
        // SAFETY: a live pool.
        NonNull::new(unsafe { ngx_pnalloc(self.as_ptr(), len) }.cast())
    }

    /// Memory of the given layout, not initialised.
    #[inline]
    pub fn layout(self, layout: Layout) -> Option<NonNull<u8>> {
        // SAFETY: a live pool; aligned as in `put`.
        let p = NonNull::new(unsafe { ngx_palloc(self.as_ptr(), layout.size()) }.cast::<u8>())?;
        (p.as_ptr().addr() % layout.align() == 0).then_some(p)
    }

    /// A copy of `from` that lives as long as the pool.
    pub fn copy(self, from: &[u8]) -> Option<&'p mut [u8]> {
        let to = self.raw(from.len().max(1))?;
        // SAFETY: `to` is fresh and has room for `from.len()` bytes.
        unsafe {
            copy_nonoverlapping(from.as_ptr(), to.as_ptr(), from.len());
            Some(std::slice::from_raw_parts_mut(to.as_ptr(), from.len()))
        }
    }

    /// A copy of `from` as nginx's string.
    pub fn copy_str(self, from: &[u8]) -> Option<ngx_str_t> {
        self.copy(from).map(|copy| text::borrowed(copy))
    }

    /// Gives a large allocation back early; a small one stays until the pool ends.
    pub fn free(self, p: NonNull<u8>) {
        // SAFETY: ngx_pfree looks the pointer up and ignores what it does not know.
        unsafe { ngx_pfree(self.as_ptr(), p.as_ptr().cast()) };
    }

    /// Moves `value` into the pool, and drops it when the pool is destroyed.
    #[inline]
    pub fn keep<T>(self, value: T) -> Option<NonNull<T>> {
        unsafe extern "C" fn drop_kept<T>(data: *mut c_void) {
            // SAFETY: data is the value that was written below; nginx calls a cleanup once, before it frees the memory.
            guard((), || unsafe { data.cast::<T>().drop_in_place() })
        }
        const { assert!(align_of::<Kept<T>>() <= align_of::<usize>()) };
        // SAFETY: a live pool; its memory, aligned to a word, has room for both. A cleanup has `data` before it is in the list.
        unsafe {
            let place = NonNull::new(ngx_palloc(self.as_ptr(), size_of::<Kept<T>>()))?;
            let kept = place.cast::<Kept<T>>().as_ptr();
            (&raw mut (*kept).value).write(value);
            let data = (&raw mut (*kept).value).cast();
            self.add(&raw mut (*kept).cleanup, cleanup(drop_kept::<T>, data));
            NonNull::new(&raw mut (*kept).value)
        }
    }

    /// Calls `handler(data)` when the pool is destroyed, the latest registered first.
    pub fn on_destroy(
        self,
        handler: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
    ) -> Option<()> {
        let room = Layout::new::<ngx_pool_cleanup_t>();
        let place = self.layout(room)?.cast();
        // SAFETY: fresh memory for one.
        unsafe { self.add(place.as_ptr(), cleanup(handler, data)) };
        Some(())
    }

    /// As nginx does it (`ngx_pool_cleanup_add`), which takes memory for `data` separately.
    ///
    /// # Safety
    /// Memory of the pool for one.
    #[inline]
    unsafe fn add(self, place: *mut ngx_pool_cleanup_t, cleanup: ngx_pool_cleanup_t) {
        // SAFETY: the caller's promise; a live pool.
        unsafe {
            let next = (*self.as_ptr()).cleanup;
            place.write(ngx_pool_cleanup_t { next, ..cleanup });
            (*self.as_ptr()).cleanup = place;
        }
    }

    /// Whether a handler was registered with this `data`.
    pub fn destroys(self, data: *mut c_void) -> bool {
        // SAFETY: live clean-ups.
        self.cleanups().any(|cleanup| unsafe { cleanup.as_ref().data } == data)
    }

    /// The data with which `handler` was registered last.
    pub fn kept_for(self, handler: unsafe extern "C" fn(*mut c_void)) -> Option<NonNull<c_void>> {
        let is_it = |cleanup: &NonNull<ngx_pool_cleanup_t>| {
            // SAFETY: a live clean-up.
            unsafe { cleanup.as_ref().handler }.is_some_and(|other| fn_addr_eq(other, handler))
        };
        // SAFETY: as above.
        self.cleanups()
            .find(is_it)
            .and_then(|cleanup| NonNull::new(unsafe { cleanup.as_ref().data }))
    }

    /// The latest first.
    fn cleanups(self) -> impl Iterator<Item = NonNull<ngx_pool_cleanup_t>> {
        // SAFETY: a live pool; its clean-ups form a list.
        let first = unsafe { self.0.as_ref().cleanup };
        // SAFETY: as above.
        successors(NonNull::new(first), |cleanup| NonNull::new(unsafe { cleanup.as_ref().next }))
    }
}

/// A pool of one's own, destroyed with the value.
pub struct OwnPool(NonNull<ngx_pool_t>);

impl OwnPool {
    /// A pool that takes memory in parts of `bytes`; `None`: out of memory.
    pub fn new(bytes: usize) -> Option<OwnPool> {
        // SAFETY: the cycle's log outlives what a worker keeps.
        let pool = NonNull::new(unsafe { ngx_create_pool(bytes, log::of_cycle()) })?;
        Some(OwnPool(pool))
    }

    /// A handle that is good as long as `self`.
    pub fn get(&self) -> Pool<'_> {
        Pool(self.0, PhantomData)
    }
}

impl Drop for OwnPool {
    fn drop(&mut self) {
        // SAFETY: made in `new`, and nobody else destroys it.
        unsafe { ngx_destroy_pool(self.0.as_ptr()) };
    }
}
