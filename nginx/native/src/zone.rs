//! Shared memory zones that hold a [`Store`], with slots or without: declared by one module, used by any.
//!
//! A zone lives through reloads, and through workers that die: nginx's master frees the lock of a dead worker, the store
//! repairs itself. nginx makes a new zone when the size in the configuration is another: that one takes over all records.

use std::ffi::c_void;
use std::fmt;
use std::ptr::{NonNull, without_provenance_mut};
use std::time::{Duration, Instant};

use ngx::ffi::{
    NGX_LOG_EMERG, ngx_cycle, ngx_int_t, ngx_pagesize, ngx_shared_memory_add, ngx_shm_zone_t,
    ngx_shmtx_lock, ngx_shmtx_t, ngx_shmtx_trylock, ngx_shmtx_unlock, ngx_slab_alloc,
    ngx_slab_pool_t,
};
use wick_kv::{Capacity, LayoutError, Lock, Store};

use crate::code::{ERROR, OK};
use crate::conf::Conf;
use crate::guard::guard;
use crate::slot_zone::SlotZone;
use crate::{log, text};

/// What nginx compares to tell our zones from others': the address of a static would differ between the two modules.
const TAG: *mut c_void = without_provenance_mut(u32::from_be_bytes(*b"wick") as usize);

/// A zone of the configuration that is being read or that this worker runs with.
#[derive(Clone, Copy)]
pub struct SharedZone(NonNull<ngx_shm_zone_t>);

/// What hangs at `ngx_shm_zone_t.data`. `repr(C)`: both modules read it.
#[repr(C)]
struct ZoneData {
    /// `None` until nginx has initialised the zone.
    store: Option<Store>,
    slots: Option<SlotZone>,
}

/// Why a zone was not declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclareError {
    /// The configuration declares this name twice.
    Duplicate,
    /// nginx refused it (other use, other size, no memory) and said so in the log.
    Refused,
}

impl SharedZone {
    /// The smallest size that leaves a store some room besides nginx's own pages.
    pub fn min_bytes() -> usize {
        // SAFETY: set once when nginx starts.
        8 * unsafe { ngx_pagesize }
    }

    /// Declares the zone `name` with `bytes` of memory, at least [`SharedZone::min_bytes`], for a store; and another
    /// one for slots of its keys, if there are to be any.
    ///
    /// # Errors
    /// [`DeclareError`].
    pub fn declare(
        conf: Conf,
        name: &[u8],
        bytes: usize,
        slots: Option<Capacity>,
    ) -> Result<SharedZone, DeclareError> {
        let zone = SharedZone::add(conf, name, bytes).ok_or(DeclareError::Refused)?;
        let raw = zone.0.as_ptr();
        // SAFETY: nginx returned a live zone, and the configuration is read by one thread.
        unsafe {
            if (*raw).init.is_some() {
                return Err(DeclareError::Duplicate);
            }
            let slots = match slots {
                None => None,
                Some(capacity) => {
                    let zone = SlotZone::declare(conf, name, bytes, capacity);
                    Some(zone.ok_or(DeclareError::Refused)?)
                }
            };
            let data =
                conf.pool().put(ZoneData { store: None, slots }).ok_or(DeclareError::Refused)?;
            (*raw).data = data.as_ptr().cast();
            (*raw).init = Some(init);
        }
        Ok(zone)
    }

    /// Refers to a zone that is declared elsewhere, before or after this; if it is nowhere, nginx refuses the
    /// configuration. `None`: the name has another use, which is in the log.
    pub fn refer(conf: Conf, name: &[u8]) -> Option<SharedZone> {
        SharedZone::add(conf, name, 0)
    }

    fn add(conf: Conf, name: &[u8], bytes: usize) -> Option<SharedZone> {
        // nginx keeps the name, so it is given one that lives as long as the configuration.
        let mut name = conf.pool().copy_str(name)?;
        // SAFETY: the parser is running, and the function only reads name and tag.
        NonNull::new(unsafe { ngx_shared_memory_add(conf.as_ptr(), &mut name, bytes, TAG) })
            .map(SharedZone)
    }

    pub fn name(&self) -> &[u8] {
        // SAFETY: the name was copied into the configuration's pool, as long as which there is the handle.
        unsafe { text::bytes((*self.0.as_ptr()).shm.name) }
    }

    /// As the configuration has it.
    pub fn bytes(self) -> usize {
        // SAFETY: nginx returned a live zone.
        unsafe { (*self.0.as_ptr()).shm.size }
    }

    /// Whether the configuration that is being read has declared the zone by now.
    pub fn is_declared(self) -> bool {
        // SAFETY: nginx returned a live zone.
        unsafe { (*self.0.as_ptr()).init.is_some() }
    }

    /// The zone's store, with its slots. Keep it: it stays the same for the life of the worker.
    ///
    /// # Panics
    /// Before nginx has initialised the zones, that is while it reads the configuration.
    pub fn store(self) -> Store {
        // SAFETY: data is null (only referred to so far) or the ZoneData of `declare`.
        let data = unsafe { (*self.0.as_ptr()).data.cast::<ZoneData>().as_ref() };
        let store = data.and_then(|data| data.store).expect("the zone is initialised");
        let slots = data.and_then(|data| data.slots).and_then(SlotZone::slots);
        slots.map_or(store, |slots| store.with_slots(slots))
    }

    /// The lock that goes with the store.
    ///
    /// # Panics
    /// As for [`SharedZone::store`].
    pub fn lock(self) -> ZoneLock {
        // SAFETY: an initialised zone starts with its slab pool.
        let pool = NonNull::new(unsafe { self.slab_pool() }).expect("the zone is initialised");
        // SAFETY: the pool stays mapped for the life of the process.
        unsafe { ZoneLock::of(pool) }
    }

    unsafe fn slab_pool(self) -> *mut ngx_slab_pool_t {
        // SAFETY: a live zone; the address is null before it is mapped.
        unsafe { (*self.0.as_ptr()).shm.addr.cast() }
    }

    /// Takes the zone into use; `old` is what the configuration before had at the same memory, if any.
    fn set_up(self, old: Option<&ZoneData>) -> Result<(), SetUpError> {
        // SAFETY: nginx has mapped the zone and initialised its slab pool.
        let pool = unsafe { self.slab_pool() };
        let store = match old {
            Some(_) => attach(pool)?,
            None => create(pool)?,
        };
        if let (None, Some(before)) = (old, self.before()) {
            before.hand_over(&store)?;
        }
        // SAFETY: the ZoneData of `declare`, which set this callback.
        unsafe { (*(*self.0.as_ptr()).data.cast::<ZoneData>()).store = Some(store) };
        Ok(())
    }
}

/// Taking over what a zone had under another size.
impl SharedZone {
    /// The zone that the configuration in force has in the place of this one. `None`: there is none, as when nginx starts or is only asked to check a configuration.
    fn before(self) -> Option<SharedZone> {
        // SAFETY: while zones are set up, this is the cycle in force: at the start one without any zone.
        let mut part = unsafe { &raw const (*ngx_cycle).shared_memory.part };
        while !part.is_null() {
            // SAFETY: a part of nginx's list of its zones, which live as long as the cycle.
            let zones = unsafe {
                let first = (*part).elts.cast::<ngx_shm_zone_t>();
                (0..(*part).nelts).filter_map(move |i| NonNull::new(first.add(i)).map(SharedZone))
            };
            if let Some(same) = zones.into_iter().find(|zone| zone.is_like(self)) {
                return Some(same);
            }
            // SAFETY: as above.
            part = unsafe { (*part).next };
        }
        None
    }

    /// A zone of ours with this name, which was in use.
    fn is_like(self, other: SharedZone) -> bool {
        // SAFETY: live zones; one with our tag and data was declared by us.
        unsafe {
            let zone = self.0.as_ptr();
            (*zone).tag == TAG
                && self.name() == other.name()
                && self.0 != other.0
                && (*zone).data.cast::<ZoneData>().as_ref().is_some_and(|data| data.store.is_some())
        }
    }

    /// Workers go on using this zone meanwhile, and wait as long as the copying takes. Who waits here is nginx's master: were it
    /// to wait for a worker that has died, nobody would free the lock.
    fn hand_over(self, to: &Store) -> Result<(), SetUpError> {
        let lock = self.lock();
        if !lock.is_taken_within(MAX_WAIT) {
            return Err(SetUpError::Busy);
        }
        to.copy_from(&self.store(), &Taken(lock)).map_err(|_| SetUpError::TooSmall)
    }
}

/// No worker holds the lock longer than for a few milliseconds.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// A lock that is held already.
struct Taken(ZoneLock);

impl Lock for Taken {
    fn lock(&self) {}

    fn unlock(&self) {
        self.0.unlock();
    }
}

/// The mutex of the zone's slab pool. nginx's master frees it when a worker dies with it.
#[derive(Clone, Copy)]
pub struct ZoneLock(NonNull<ngx_shmtx_t>);

impl ZoneLock {
    /// # Safety
    /// An initialised pool that stays mapped for the life of the process.
    pub(crate) unsafe fn of(pool: NonNull<ngx_slab_pool_t>) -> ZoneLock {
        // SAFETY: the caller's promise.
        ZoneLock(unsafe { NonNull::new_unchecked(&raw mut (*pool.as_ptr()).mutex) })
    }

    fn is_taken_within(&self, max: Duration) -> bool {
        let start = Instant::now();
        // SAFETY: an initialised mutex in memory that stays mapped.
        while unsafe { ngx_shmtx_trylock(self.0.as_ptr()) } == 0 {
            if start.elapsed() > max {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }
}

impl Lock for ZoneLock {
    #[inline]
    fn lock(&self) {
        // SAFETY: an initialised mutex in memory that stays mapped.
        unsafe { ngx_shmtx_lock(self.0.as_ptr()) }
    }

    #[inline]
    fn unlock(&self) {
        // SAFETY: as above.
        unsafe { ngx_shmtx_unlock(self.0.as_ptr()) }
    }
}

enum SetUpError {
    NoMemory,
    Layout(LayoutError),
    /// The zone that it takes the place of is locked and stays so.
    Busy,
    /// The records of that one do not fit.
    TooSmall,
}

impl fmt::Display for SetUpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMemory => f.write_str("no free pages"),
            Self::Busy => f.write_str("the zone of before is in use"),
            Self::TooSmall => f.write_str("it is too small for the records of the zone before"),
            Self::Layout(error) => write!(f, "its memory {error}; restart nginx to start afresh"),
        }
    }
}

/// nginx's callback: the zone is mapped. An error refuses the configuration; on a reload the old one stays in force.
unsafe extern "C" fn init(zone: *mut ngx_shm_zone_t, old: *mut c_void) -> ngx_int_t {
    guard(ERROR, || {
        let Some(shared) = NonNull::new(zone).map(SharedZone) else { return ERROR };
        // SAFETY: null, or the data of the same zone in the configuration before, which is still alive.
        match shared.set_up(unsafe { old.cast::<ZoneData>().as_ref() }) {
            Ok(()) => OK,
            Err(error) => {
                let name = String::from_utf8_lossy(shared.name());
                // SAFETY: a live zone.
                let log = unsafe { (*zone).shm.log };
                let line = format_args!("Cannot use shared zone \"{name}\": {error}");
                log::write(log, NGX_LOG_EMERG as usize, line);
                ERROR
            }
        }
    })
}

/// Formats all pages of a fresh pool as a store and notes its place in the pool.
fn create(pool: *mut ngx_slab_pool_t) -> Result<Store, SetUpError> {
    let bytes = pool_bytes(pool);
    // SAFETY: a fresh pool; with all of its pages taken, nobody else can allocate there.
    let base = NonNull::new(unsafe { ngx_slab_alloc(pool, bytes) }).ok_or(SetUpError::NoMemory)?;
    // SAFETY: the pages are ours for as long as the zone is mapped, and every handle goes with `SharedZone::lock`.
    let store = unsafe { Store::create(base.cast(), bytes) }.map_err(SetUpError::Layout)?;
    // SAFETY: the field is the pool owner's to use.
    unsafe { (*pool).data = base.as_ptr() };
    Ok(store)
}

/// Takes up the store that [`create`] made under an earlier configuration; workers are using it meanwhile.
fn attach(pool: *mut ngx_slab_pool_t) -> Result<Store, SetUpError> {
    // SAFETY: an initialised pool.
    let base =
        NonNull::new(unsafe { (*pool).data }).ok_or(SetUpError::Layout(LayoutError::Magic))?;
    // SAFETY: as in `create`; the field holds nothing else.
    unsafe { Store::attach(base.cast(), pool_bytes(pool)) }.map_err(SetUpError::Layout)
}

/// Bytes of all pages of a pool, taken or free.
fn pool_bytes(pool: *mut ngx_slab_pool_t) -> usize {
    // SAFETY: an initialised pool: `pages..last` has one entry per page.
    unsafe { (*pool).last.offset_from_unsigned((*pool).pages) * ngx_pagesize }
}
