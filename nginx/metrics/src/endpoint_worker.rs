//! What a worker remembers of endpoints: which it has met, so that the next attempt takes neither a lock nor a text of labels.

use crate::cells::Cells;
use crate::endpoint::EndpointLabels;
use crate::known::{Known, folded, remember};
use crate::table::{Handle, Table};
use crate::worker::Worker;

struct Endpoint {
    backend: Box<[u8]>,
    endpoint: Box<[u8]>,
    handle: Handle,
}

/// Of one table, whose series have neither method nor status.
pub struct EndpointWorker {
    worker: Worker,
    /// By the hash of both texts; of two with the same hash the latest.
    known: Known<Endpoint>,
}

impl EndpointWorker {
    /// `nth`: the worker's number, from 0.
    pub fn new(table: &Table, nth: usize) -> EndpointWorker {
        EndpointWorker { worker: Worker::new(table, nth, false), known: Known::default() }
    }

    /// The numbers of an endpoint. `None`: it is not there any more. `is_there`, `now_ms` and `locked` are for endpoints that
    /// are met for the first time: `locked` runs what it is given under the table's lock, `is_there` says whether the backend
    /// has the endpoint.
    #[inline]
    pub fn cells<'m, 's>(
        &mut self,
        table: &Table<'m, 's>,
        labels: &EndpointLabels,
        now_ms: u64,
        is_there: impl FnOnce() -> bool,
        locked: impl Fn(&mut dyn FnMut()),
    ) -> Option<Cells<'m, 's>> {
        let hash = mixed(labels.endpoint, mixed(labels.backend, table.seed()));
        let known = self.known.get(&hash).filter(|known| {
            *known.endpoint == *labels.endpoint
                && *known.backend == *labels.backend
                && table.is_current(known.handle)
        });
        let handle = match known {
            Some(known) => known.handle,
            None => self.meet(table, hash, labels, now_ms, is_there, &locked)?,
        };
        self.worker.cells(table, handle, 0, 0, now_ms, locked)
    }

    #[cold]
    fn meet(
        &mut self,
        table: &Table,
        hash: u64,
        labels: &EndpointLabels,
        now_ms: u64,
        is_there: impl FnOnce() -> bool,
        locked: impl Fn(&mut dyn FnMut()),
    ) -> Option<Handle> {
        if !is_there() {
            return None;
        }
        let mut found = None;
        locked(&mut || found = Some(table.set(labels, now_ms)));
        let handle = found?;
        let (backend, endpoint) = (labels.backend.into(), labels.endpoint.into());
        let met = Endpoint { backend, endpoint, handle };
        remember(&mut self.known, table.rows.layout.series, hash, met);
        Some(handle)
    }
}

/// Only names of the configuration are hashed: some multiplications are enough.
#[inline]
fn mixed(bytes: &[u8], seed: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let all = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    all.fold(seed ^ bytes.len() as u64, |hash, word| folded(hash ^ word))
}
