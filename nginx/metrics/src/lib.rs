//! Request metrics: counters and histograms of requests, by Ingress, path, method and status; and of attempts, by endpoint.
//!
//! In come labels and what is known of a request at its end; out comes Prometheus' text format. Everything lies in a
//! table of words that all processes map. A sample is a few relaxed additions to its series' cells, without a lock; the lock is taken
//! only by who meets a series for the first time, or removes one. The crate knows neither nginx nor Wasm.

mod capacity;
mod cells;
mod endpoint;
mod endpoint_worker;
mod header;
mod inspections;
mod known;
mod labels;
mod names;
mod native;
mod print;
mod retries;
mod rows;
mod shape;
mod table;
mod texts;
mod worker;

pub use capacity::Capacity;
pub use cells::Cells;
pub use endpoint::EndpointLabels;
pub use endpoint_worker::EndpointWorker;
pub use inspections::{OUTCOMES, Outcome};
pub use labels::{LabelSet, Labels, METHODS};
pub use names::Subject;
pub use native::Resolution;
pub use print::{Cursor, Format, Printer};
pub use retries::{CAUSES, Cause};
pub use shape::{Bucket, Family, HISTOGRAMS, Shape};
pub use table::{Handle, Table};
pub use worker::Worker;
