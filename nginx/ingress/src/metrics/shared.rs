//! A table of series in a zone of its own.

use std::cell::OnceCell;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::sync::atomic::AtomicU64;

use ngx::ffi::{ngx_current_msec, ngx_worker};
use wick_metrics::{Capacity, Shape, Table};
use wick_native::conf::Conf;
use wick_native::word_zone::WordZone;

type Create =
    fn(&'static [AtomicU64], Capacity, &'static Shape, u64) -> Option<Table<'static, 'static>>;

pub struct SharedTable {
    zone: WordZone,
    capacity: Capacity,
    shape: &'static Shape,
    create: Create,
    /// Attached at the first use: while the configuration is read, the zone is not mapped yet.
    table: OnceCell<Table<'static, 'static>>,
}

impl SharedTable {
    /// `name` begins the zone's name; `what` tells apart what is counted: after another one in the configuration all begins
    /// anew. `None`: nginx refuses and has said why.
    pub fn declare(
        conf: Conf,
        name: &str,
        what: &str,
        capacity: Capacity,
        shape: Shape,
        create: Create,
    ) -> Option<SharedTable> {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        let words = Table::words(capacity, &shape);
        // nginx keeps what has the same name and size.
        let name = format!("{name}:{words}:{:016x}", hasher.finish());
        let zone = WordZone::declare(conf, name.as_bytes(), words)?;
        // SAFETY: kept as long as the configuration, which outlives all who use it.
        let shape = unsafe { &*conf.pool().keep(shape)?.as_ptr() };
        Some(SharedTable { zone, capacity, shape, create, table: OnceCell::new() })
    }

    #[inline]
    pub fn get(&self) -> &Table<'static, 'static> {
        self.table.get_or_init(|| self.open())
    }

    #[cold]
    fn open(&self) -> Table<'static, 'static> {
        self.zone.locked(|words| {
            let made = Table::attach(words, self.capacity, self.shape).or_else(|| {
                let seed = RandomState::new().hash_one(self.capacity.series);
                (self.create)(words, self.capacity, self.shape, seed)
            });
            made.expect("the zone has room for its table")
        })
    }

    pub fn locked<R>(&self, f: impl FnOnce() -> R) -> R {
        self.zone.locked(|_| f())
    }
}

/// The worker's number, from 0.
pub fn worker_number() -> usize {
    // SAFETY: a plain number of nginx's, set when the worker starts.
    unsafe { ngx_worker }
}

/// Of a clock that all processes share.
pub fn now_ms() -> u64 {
    // SAFETY: a word that nginx updates in this very thread.
    unsafe { ngx_current_msec as u64 }
}
