//! The table of metrics as a worker uses it.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};

use ngx::ffi::{ngx_current_msec, ngx_worker};
use wick_metrics::{Capacity, Handle, Labels, Shape, Table, Worker};
use wick_native::conf::Conf;
use wick_native::word_zone::WordZone;

/// What series have, and where requests have what they are made of.
pub struct Settings {
    /// Series have the label `host`.
    pub has_host: bool,
    /// Requests that no Ingress is for are counted.
    pub counts_undefined: bool,
    /// Statuses are printed as `2xx`.
    pub has_classes: bool,
    /// Indexes of variables.
    pub noted_at: usize,
    pub alternative_at: usize,
    /// Of namespace, Ingress, Service, path and host.
    pub names: [usize; 5],
    /// Labels of all series.
    pub common: Vec<(&'static str, String)>,
}

/// Sets of labels by the set of a route and the canary's name.
type Canaries = HashMap<(u64, Box<[u8]>), Handle>;

/// What `ingress_metrics` declares, and what this worker knows of it.
pub struct Metrics {
    zone: WordZone,
    capacity: Capacity,
    shape: &'static Shape,
    /// Attached at the first use: while the configuration is read, the zone is not mapped yet.
    table: OnceCell<Table<'static, 'static>>,
    worker: RefCell<Option<Worker>>,
    nobody: OnceCell<Handle>,
    /// Sets of requests that canaries took and this worker has met, by the route's set and the canary.
    pub canaries: RefCell<Canaries>,
    pub settings: Settings,
}

impl Metrics {
    /// `what` tells apart what is counted: after another one in the configuration all begins anew. `None`: nginx refuses and has said why.
    pub fn declare(
        conf: Conf,
        capacity: Capacity,
        shape: Shape,
        settings: Settings,
        what: &str,
    ) -> Option<Metrics> {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        let words = Table::words(capacity, &shape);
        // nginx keeps what has the same name and size.
        let name = format!("ingress_metrics:{words}:{:016x}", hasher.finish());
        let zone = WordZone::declare(conf, name.as_bytes(), words)?;
        // SAFETY: kept as long as the configuration, which outlives all who use it.
        let shape = unsafe { &*conf.pool().keep(shape)?.as_ptr() };
        Some(Metrics {
            zone,
            capacity,
            shape,
            table: OnceCell::new(),
            worker: RefCell::default(),
            nobody: OnceCell::new(),
            canaries: RefCell::default(),
            settings,
        })
    }

    #[inline]
    pub fn table(&self) -> &Table<'static, 'static> {
        self.table.get_or_init(|| self.open())
    }

    #[cold]
    fn open(&self) -> Table<'static, 'static> {
        self.zone.locked(|words| {
            let made = Table::attach(words, self.capacity, self.shape).or_else(|| {
                let seed = RandomState::new().hash_one(self.capacity.series);
                Table::create(words, self.capacity, self.shape, seed)
            });
            made.expect("the zone has room for its table")
        })
    }

    /// The set of these labels.
    pub fn set(&self, labels: &Labels) -> Handle {
        let table = self.table();
        self.locked(|| table.set(labels, now_ms()))
    }

    /// The set of requests that no Ingress is for. It is never removed.
    pub fn nobody(&self) -> Handle {
        let labels = Labels {
            namespace: b"",
            ingress: b"",
            service: b"",
            canary: b"",
            path: b"",
            host: self.settings.has_host.then_some(b"_"),
        };
        *self.nobody.get_or_init(|| self.set(&labels))
    }

    /// What this worker remembers.
    #[inline]
    pub fn with_worker<R>(&self, f: impl FnOnce(&mut Worker) -> R) -> R {
        let mut worker = self.worker.borrow_mut();
        // SAFETY: a plain number of nginx's, set when the worker starts.
        let nth = || unsafe { ngx_worker };
        f(worker.get_or_insert_with(|| Worker::new(self.table(), nth(), self.settings.has_classes)))
    }

    pub fn remove(&self, namespace: &[u8], ingress: &[u8]) {
        let table = self.table();
        self.locked(|| table.remove(namespace, ingress, now_ms()));
    }

    pub fn locked<R>(&self, f: impl FnOnce() -> R) -> R {
        self.zone.locked(|_| f())
    }
}

/// Of a clock that all processes share.
pub fn now_ms() -> u64 {
    // SAFETY: a word that nginx updates in this very thread.
    unsafe { ngx_current_msec as u64 }
}
