//! The crate as its users see it.

mod find;
mod record;
mod reference;
mod support;
