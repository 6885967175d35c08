//! Counters of all workers together, in a shared zone of their own.

use std::ffi::c_void;
use std::ptr::{NonNull, without_provenance_mut};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ngx::ffi::{
    ngx_int_t, ngx_pagesize, ngx_shared_memory_add, ngx_shm_zone_t, ngx_slab_alloc, ngx_slab_pool_t,
};
use wick_native::code::{ERROR, OK};
use wick_native::conf::Conf;
use wick_native::guard::guard;

/// The zone; it lives through reloads.
#[derive(Clone, Copy)]
pub struct Counters(NonNull<ngx_shm_zone_t>);

/// Grows at its end only: an older process of a reload reads the same memory.
#[repr(C)]
struct Cells {
    /// Callbacks that trapped, took too long, or failed otherwise.
    faults: AtomicU64,
    /// Attempts whose peer the host chose because the filter could not.
    fallbacks: AtomicU64,
    /// Instances built.
    instances: AtomicU64,
    /// Repairs of shared zones that were told in the log.
    repairs: AtomicU64,
}

const TAG: *mut c_void = without_provenance_mut(u64::from_be_bytes(*b"wickcnt1") as usize);
const NAME: &[u8] = b"wasm:counters";

impl Counters {
    /// Declares the zone; `None` when nginx refused it and said why.
    pub fn declare(cf: Conf) -> Option<Counters> {
        // SAFETY: the parser is running; the page size is set at start.
        unsafe {
            let mut name = cf.pool().copy_str(NAME)?;
            let zone = ngx_shared_memory_add(cf.as_ptr(), &mut name, 8 * ngx_pagesize, TAG);
            let zone = NonNull::new(zone)?;
            (*zone.as_ptr()).init = Some(init);
            Some(Counters(zone))
        }
    }

    pub fn fault(&self) {
        self.add(|cells| &cells.faults);
    }

    pub fn fallback(&self) {
        self.add(|cells| &cells.fallbacks);
    }

    pub fn instance(&self) {
        self.add(|cells| &cells.instances);
    }

    /// Notes that the zones were repaired `total` times; whether nobody has told so yet.
    pub fn repaired(&self, total: u64) -> bool {
        self.cells().is_some_and(|cells| cells.repairs.fetch_max(total, Relaxed) < total)
    }

    /// Faults, fallbacks, instances, repairs; `None` before the zone is there.
    pub fn all(&self) -> Option<[u64; 4]> {
        let cells = self.cells()?;
        Some(
            [&cells.faults, &cells.fallbacks, &cells.instances, &cells.repairs]
                .map(|cell| cell.load(Relaxed)),
        )
    }

    fn add(&self, pick: impl Fn(&Cells) -> &AtomicU64) {
        if let Some(cells) = self.cells() {
            pick(cells).fetch_add(1, Relaxed);
        }
    }

    fn cells(&self) -> Option<&Cells> {
        // SAFETY: `init` stored them, in memory that lives as long as the process.
        unsafe { self.0.as_ref().data.cast::<Cells>().as_ref() }
    }
}

unsafe extern "C" fn init(zone: *mut ngx_shm_zone_t, old: *mut c_void) -> ngx_int_t {
    // SAFETY: nginx passes its zone, mapped and initialised; `old` is what an earlier cycle stored here.
    guard(ERROR, || unsafe {
        let pool = (*zone).shm.addr.cast::<ngx_slab_pool_t>();
        let mut cells = if old.is_null() { (*pool).data } else { old };
        if cells.is_null() {
            cells = ngx_slab_alloc(pool, size_of::<Cells>());
            if cells.is_null() {
                return ERROR;
            }
            cells.cast::<Cells>().write_bytes(0, 1);
            (*pool).data = cells;
        }
        (*zone).data = cells;
        OK
    })
}
