//! What one request or session has tried: which endpoints were chosen, by whom, and what was said of each.

pub mod choice;
pub mod peer;
pub mod target;
pub mod timeouts;
pub mod transport;
