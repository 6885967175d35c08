//! Databases of GeoIP: which there are, which variables they fill, and what one says of an address.
//!
//! In comes the memory of a file in MaxMind's format, which may be damaged in any way; out come texts and numbers. Where the file lies, and
//! whose address is asked about, are not known here.

mod database;
mod edition;
mod value;
mod variables;

pub use database::{Damaged, Database};
pub use edition::{Edition, Family};
pub use value::Value;
pub use variables::{Place, VARIABLES, Variable, places_of_asn, places_of_country};
