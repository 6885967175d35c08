//! The crate as its users see it.

mod actions;
mod client_certificate;
mod condition;
mod cors;
mod find;
mod fixture;
#[path = "../../../wire/tests/support/fixtures.rs"]
mod fixtures;
#[rustfmt::skip]
mod overrides;
mod newer;
mod oracle;
mod parts;
mod record;
mod reference;
mod scripts;
mod split;
mod support;
mod tries;
