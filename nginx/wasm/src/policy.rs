//! Custom balancing policies in a worker (docs/abi.md, Policies): the filter registers each backend that names one, asks for the
//! endpoint of each attempt, and tells how it ended. What a policy may be and call is said in the crate `wick_policy`.
//!
//! `counters` are those of all workers together; `running` is one policy's instance, and what follows its faults; `backend` is
//! one backend's root context; `asking` is what a policy may see in one call; `table` has them all.

pub mod asking;
pub mod backend;
pub mod counters;
pub mod running;
pub mod table;
