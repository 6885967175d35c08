//! Request metrics: counters and histograms of requests, by Ingress, path, method and status.
//!
//! In come the labels of a route and what is known of a request at its end; out comes Prometheus' text format. Everything lies in a
//! table of words that all processes map. A sample is a few relaxed additions to its series' cells, without a lock; the lock is taken
//! only by who meets a series for the first time, or removes one. The crate knows neither nginx nor Wasm.

mod capacity;
mod cells;
mod header;
mod labels;
mod print;
mod retries;
mod rows;
mod shape;
mod table;
mod texts;
mod worker;

pub use capacity::Capacity;
pub use cells::Cells;
pub use labels::{Labels, METHODS};
pub use print::{Cursor, Printer};
pub use retries::{CAUSES, Cause};
pub use shape::{Bucket, Family, HISTOGRAMS, Shape};
pub use table::{Handle, Table};
pub use worker::Worker;
