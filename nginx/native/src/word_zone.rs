//! Shared memory that is one piece of words, zero at first. It lives through reloads as long as its name and size stay.

use std::ffi::c_void;
use std::ptr::{NonNull, without_provenance_mut};
use std::sync::atomic::AtomicU64;

use ngx::ffi::{
    NGX_LOG_EMERG, ngx_int_t, ngx_shared_memory_add, ngx_shm_zone_t, ngx_slab_alloc,
    ngx_slab_pool_t,
};

use wick_kv::Lock;

use crate::code::{ERROR, OK};
use crate::conf::Conf;
use crate::guard::guard;
use crate::log;
use crate::slot_zone::zone_bytes;
use crate::zone::ZoneLock;

const TAG: *mut c_void = without_provenance_mut(u64::from_be_bytes(*b"wickword") as usize);

/// The zone of the configuration that is being read or that this worker runs with.
#[derive(Clone, Copy)]
pub struct WordZone {
    zone: NonNull<ngx_shm_zone_t>,
    words: usize,
}

impl WordZone {
    /// Declares the zone `name` of so many words; the name is its own for this use and size. `None`: nginx refused and
    /// said why.
    pub fn declare(conf: Conf, name: &[u8], words: usize) -> Option<WordZone> {
        let mut name = conf.pool().copy_str(name)?;
        let data = conf.pool().put(words)?;
        let bytes = zone_bytes(words * size_of::<AtomicU64>());
        // SAFETY: the parser is running; nginx returns a live zone or null.
        unsafe {
            let zone = NonNull::new(ngx_shared_memory_add(conf.as_ptr(), &mut name, bytes, TAG))?;
            (*zone.as_ptr()).data = data.as_ptr().cast();
            (*zone.as_ptr()).init = Some(init);
            Some(WordZone { zone, words })
        }
    }

    /// All of them.
    ///
    /// # Panics
    /// Before nginx has initialised the zones, that is while it reads the configuration.
    pub fn words(&self) -> &'static [AtomicU64] {
        let pool = self.pool();
        // SAFETY: `init` has allocated so many words; they stay mapped for the life of the process, which uses them as atomics.
        unsafe {
            let first = NonNull::new((*pool.as_ptr()).data).expect("the zone is initialised");
            std::slice::from_raw_parts(first.as_ptr().cast::<AtomicU64>(), self.words)
        }
    }

    /// Runs `f` with all of them under the lock that goes with them, which is free again after a panic, too. nginx's master
    /// frees it when a worker dies with it.
    ///
    /// # Panics
    /// As for [`WordZone::words`].
    pub fn locked<R>(&self, f: impl FnOnce(&'static [AtomicU64]) -> R) -> R {
        // SAFETY: the pool stays mapped for the life of the process.
        let lock = unsafe { ZoneLock::of(self.pool()) };
        let _held = Held::new(&lock);
        f(self.words())
    }

    fn pool(&self) -> NonNull<ngx_slab_pool_t> {
        // SAFETY: a live zone; an initialised one starts with its slab pool.
        let pool = unsafe { (*self.zone.as_ptr()).shm.addr.cast() };
        NonNull::new(pool).expect("the zone is initialised")
    }
}

/// The lock, until dropped.
struct Held<'l>(&'l ZoneLock);

impl Held<'_> {
    fn new(lock: &ZoneLock) -> Held<'_> {
        lock.lock();
        Held(lock)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.unlock();
    }
}

/// nginx's callback: the zone is mapped. `old`: what the configuration before had at the same memory.
unsafe extern "C" fn init(zone: *mut ngx_shm_zone_t, old: *mut c_void) -> ngx_int_t {
    guard(ERROR, || {
        if !old.is_null() {
            return OK;
        }
        // SAFETY: a live zone with a fresh pool, and what `declare` left with it. A mapping that is new is all zero.
        unsafe {
            let words = *(*zone).data.cast::<usize>();
            let pool = (*zone).shm.addr.cast::<ngx_slab_pool_t>();
            (*pool).data = ngx_slab_alloc(pool, words * size_of::<AtomicU64>());
            if !(*pool).data.is_null() {
                return OK;
            }
            let line = format_args!("Cannot use a shared zone: no free pages for {words} words");
            log::write((*zone).shm.log, NGX_LOG_EMERG as usize, line);
        }
        ERROR
    })
}
