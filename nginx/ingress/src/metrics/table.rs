//! The table of request metrics as a worker uses it.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use wick_metrics::{Capacity, Handle, Labels, Shape, Table, Worker};
use wick_native::conf::Conf;

use super::shared::{SharedTable, now_ms, worker_number};

/// What series have, and where requests have what they are made of.
pub struct Settings {
    /// Series have the label `host`.
    pub has_host: bool,
    /// Requests that no Ingress is for are counted.
    pub counts_undefined: bool,
    /// Statuses are printed as `2xx`.
    pub has_classes: bool,
    /// Histograms are counted natively, too.
    pub is_native: bool,
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
    shared: SharedTable,
    worker: RefCell<Option<Worker>>,
    nobody: OnceCell<Handle>,
    /// Sets of requests that canaries took and this worker has met, by the route's set and the canary.
    pub canaries: RefCell<Canaries>,
    pub settings: Settings,
}

impl Metrics {
    /// `what` tells apart what is counted. `None`: nginx refuses and has said why.
    pub fn declare(
        conf: Conf,
        capacity: Capacity,
        shape: Shape,
        settings: Settings,
        what: &str,
    ) -> Option<Metrics> {
        let shared = SharedTable::declare(
            conf,
            "ingress_metrics",
            what,
            capacity,
            shape,
            |w, c, s, seed| Table::create(w, c, s, &Labels::FOLDED, seed),
        )?;
        Some(Metrics {
            shared,
            worker: RefCell::default(),
            nobody: OnceCell::new(),
            canaries: RefCell::default(),
            settings,
        })
    }

    #[inline]
    pub fn table(&self) -> &Table<'static, 'static> {
        self.shared.get()
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
            rule: b"",
            host: self.settings.has_host.then_some(b"_"),
        };
        *self.nobody.get_or_init(|| self.set(&labels))
    }

    /// What this worker remembers.
    #[inline]
    pub fn with_worker<R>(&self, f: impl FnOnce(&mut Worker) -> R) -> R {
        let mut worker = self.worker.borrow_mut();
        let new = || Worker::new(self.table(), worker_number(), self.settings.has_classes);
        f(worker.get_or_insert_with(new))
    }

    pub fn remove(&self, namespace: &[u8], ingress: &[u8]) {
        let table = self.table();
        self.locked(|| table.remove(namespace, ingress, now_ms()));
    }

    pub fn locked<R>(&self, f: impl FnOnce() -> R) -> R {
        self.shared.locked(f)
    }
}
