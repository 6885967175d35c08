//! The crate as its users see it.

mod find;
mod fixture;
mod record;
mod reference;
mod support;
