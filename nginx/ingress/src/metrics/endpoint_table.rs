//! The table of attempts by endpoint as a worker uses it, and which endpoints there are.

use std::cell::RefCell;
use std::collections::HashSet;

use wick_abi::{Address, EndpointList};
use wick_metrics::{Capacity, Cells, EndpointLabels, EndpointWorker, Shape, Table};
use wick_native::conf::Conf;
use wick_native::zone::SharedZone;

use super::shared::{SharedTable, now_ms, worker_number};

/// Where requests have what series are made of.
pub struct EndpointSettings {
    /// Indexes of the variables with the backend, the canary's that took its place, and both as they were before an error page.
    pub backend_at: usize,
    pub alternative_at: usize,
    pub failed_backend_at: usize,
    pub failed_alternative_at: usize,
    /// Labels of all series.
    pub common: Vec<(&'static str, String)>,
    /// The zone of the backends, whose keys begin with its name.
    pub backends: SharedZone,
}

/// What `ingress_endpoint_metrics` declares, and what this worker knows of it.
pub struct EndpointMetrics {
    shared: SharedTable,
    worker: RefCell<Option<EndpointWorker>>,
    pub settings: EndpointSettings,
}

impl EndpointMetrics {
    /// `what` tells apart what is counted. `None`: nginx refuses and has said why.
    pub fn declare(
        conf: Conf,
        capacity: Capacity,
        shape: Shape,
        settings: EndpointSettings,
        what: &str,
    ) -> Option<EndpointMetrics> {
        let name = "ingress_endpoint_metrics";
        let shared = SharedTable::declare(conf, name, what, capacity, shape, |w, c, s, seed| {
            Table::create(w, c, s, &EndpointLabels::FOLDED, seed)
        })?;
        Some(EndpointMetrics { shared, worker: RefCell::default(), settings })
    }

    #[inline]
    pub fn table(&self) -> &Table<'static, 'static> {
        self.shared.get()
    }

    /// The numbers of an endpoint; `None`: the backend has it no more.
    #[inline]
    pub fn cells(&self, labels: &EndpointLabels) -> Option<Cells<'static, 'static>> {
        let mut worker = self.worker.borrow_mut();
        let new = || EndpointWorker::new(self.table(), worker_number());
        worker.get_or_insert_with(new).cells(
            self.table(),
            labels,
            now_ms(),
            || self.is_there(labels),
            |f: &mut dyn FnMut()| self.shared.locked(f),
        )
    }

    #[cold]
    fn is_there(&self, labels: &EndpointLabels) -> bool {
        let Ok(wanted) = Address::parse(labels.endpoint, 0) else { return false };
        self.endpoints(labels.backend, |list| list.iter().any(|known| known.address == wanted))
            .unwrap_or(false)
    }

    /// Removes the series of those that their backends have no more; `only`: of this backend.
    pub fn sweep(&self, only: Option<&[u8]>) {
        let are_there = |backend: &[u8], endpoints: &[&[u8]]| {
            let known: HashSet<Address> = self
                .endpoints(backend, |list| list.iter().map(|known| known.address).collect())
                .unwrap_or_default();
            let is_known = |address: Address| known.contains(&address);
            endpoints.iter().map(|text| Address::parse(text, 0).is_ok_and(is_known)).collect()
        };
        let locked = |f: &mut dyn FnMut()| self.shared.locked(f);
        self.table().remove_endpoints(only, are_there, now_ms(), locked);
    }

    /// Shows the endpoints of a backend; `None`: there is none of this name.
    fn endpoints<R>(&self, backend: &[u8], show: impl FnOnce(EndpointList) -> R) -> Option<R> {
        let zone = self.settings.backends;
        let key = [zone.name(), b"/", backend].concat();
        let read = |record: &[u8], _| EndpointList::parse(record).ok().map(show);
        zone.store().read(&zone.lock(), &key, read)?
    }
}
