//! The crate as its users see it.

mod find;
mod fixture;
mod hosts;
mod record;
mod reference;
mod support;
