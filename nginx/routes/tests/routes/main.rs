//! The crate as its users see it.

mod client_certificate;
mod find;
mod fixture;
#[rustfmt::skip]
mod overrides;
mod newer;
mod record;
mod reference;
mod support;
