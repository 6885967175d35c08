//! How much a client may request of an Ingress: requests per second and minute, and requests at a time.
//!
//! In come the limits of a route, who asks and when; out goes whether it may. What was asked before lies in a table of words
//! that all processes map (`table`); its users hold its lock. And how often a request was passed on. The crate knows neither nginx nor Wasm.

mod cells;
mod identity;
mod limits;
mod loops;
mod processes;
mod rate;
mod room;
mod table;
mod words;

pub use identity::{Identity, Part, network};
pub use limits::Limits;
pub use loops::passes_in;
pub use processes::Process;
pub use rate::Rate;
pub use table::{Answer, Client, Connection, Standing, Table};
pub use words::Capacity;
