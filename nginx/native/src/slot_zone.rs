//! The shared memory of a store's slots: a zone of its own, so that a stray write into it never reaches a record.
//!
//! It lives through reloads as long as the store's zone and the numbers of slots and processes stay: its name tells them, because
//! nginx keeps what has the same name and size. After another number in the configuration all slots begin anew.

use std::ffi::c_void;
use std::fmt::Write as _;
use std::ptr::{NonNull, without_provenance_mut};

use ngx::ffi::{
    NGX_LOG_EMERG, ngx_int_t, ngx_pagesize, ngx_shared_memory_add, ngx_shm_zone_t, ngx_slab_alloc,
    ngx_slab_page_t, ngx_slab_pool_t,
};
use wick_kv::{Capacity, LayoutError, Slots};

use crate::code::{ERROR, OK};
use crate::conf::Conf;
use crate::guard::guard;
use crate::{log, text};

const TAG: *mut c_void = without_provenance_mut(u64::from_be_bytes(*b"wickslot") as usize);

/// The slots' zone of the configuration that is being read or that this worker runs with.
#[derive(Clone, Copy)]
pub(crate) struct SlotZone(NonNull<ngx_shm_zone_t>);

/// What hangs at `ngx_shm_zone_t.data`.
#[repr(C)]
struct SlotData {
    capacity: Capacity,
    /// `None` until nginx has initialised the zone.
    slots: Option<Slots>,
}

impl SlotZone {
    /// Declares slots for the store in the zone `store` of `store_bytes`. `None`: nginx refused and said why.
    pub fn declare(
        conf: Conf,
        store: &[u8],
        store_bytes: usize,
        capacity: Capacity,
    ) -> Option<SlotZone> {
        let mut suffix = String::new();
        let Capacity { slots, processes } = capacity;
        write!(suffix, ":slots:{store_bytes}:{slots}:{processes}").ok()?;
        let mut name = conf.pool().copy_str(&[store, suffix.as_bytes()].concat())?;
        let bytes = zone_bytes(Slots::bytes(capacity));
        let data = conf.pool().put(SlotData { capacity, slots: None })?;
        // SAFETY: the parser is running; nginx returns a live zone or null.
        unsafe {
            let zone = ngx_shared_memory_add(conf.as_ptr(), &mut name, bytes, TAG);
            let zone = NonNull::new(zone)?;
            (*zone.as_ptr()).data = data.as_ptr().cast();
            (*zone.as_ptr()).init = Some(init);
            Some(SlotZone(zone))
        }
    }

    /// `None` until nginx has initialised the zone.
    pub fn slots(self) -> Option<Slots> {
        // SAFETY: `declare` stored it, in memory of the configuration.
        unsafe { (*self.0.as_ptr()).data.cast::<SlotData>().as_ref()?.slots }
    }

    fn set_up(self, is_new: bool) -> Result<(), LayoutError> {
        // SAFETY: the data of `declare`, whose configuration is being initialised; the zone is mapped and its pool initialised.
        let (data, pool) = unsafe {
            let zone = self.0.as_ptr();
            (&mut *(*zone).data.cast::<SlotData>(), (*zone).shm.addr.cast::<ngx_slab_pool_t>())
        };
        let bytes = Slots::bytes(data.capacity);
        // SAFETY: the pages are the slots' alone, and nobody has touched them: a mapping that is new is all zero.
        unsafe {
            if is_new {
                (*pool).data = ngx_slab_alloc(pool, bytes);
            }
            let base = NonNull::new((*pool).data.cast()).ok_or(LayoutError::TooSmall)?;
            let format = if is_new { Slots::create } else { Slots::attach };
            data.slots = Some(format(base, bytes, data.capacity)?);
        }
        Ok(())
    }
}

/// nginx's callback: the zone is mapped. `old`: what the configuration before had at the same memory.
unsafe extern "C" fn init(zone: *mut ngx_shm_zone_t, old: *mut c_void) -> ngx_int_t {
    guard(ERROR, || {
        let Some(shared) = NonNull::new(zone).map(SlotZone) else { return ERROR };
        let Err(error) = shared.set_up(old.is_null()) else { return OK };
        // SAFETY: a live zone.
        let (name, log) = unsafe { (text::bytes((*zone).shm.name), (*zone).shm.log) };
        let name = String::from_utf8_lossy(name);
        let line = format_args!("Cannot use shared zone \"{name}\": its memory {error}");
        log::write(log, NGX_LOG_EMERG as usize, line);
        ERROR
    })
}

/// Size of a zone whose pool has room for one piece of `bytes`: nginx's tables come before it, a line for each page.
pub(crate) fn zone_bytes(bytes: usize) -> usize {
    // SAFETY: set once when nginx starts.
    let page = unsafe { ngx_pagesize };
    let pages = bytes.div_ceil(page);
    let tables = (pages * size_of::<ngx_slab_page_t>()).div_ceil(page) + 4;
    (pages + tables) * page
}
