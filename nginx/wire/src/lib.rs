//! What the records in the shared zones are written with (docs/wire.md 2).
//!
//! In comes a record, or a part of one; out go its fields, whose ids, numbers and limits are printed from wire/, so that the
//! controller, the filter and nginx's modules cannot disagree. What a record means is its reader's matter.

mod fields;
mod id;
#[rustfmt::skip]
mod ids;
mod template;
mod values;

pub use fields::{Field, Fields, Number, RecordError, fields, take, take_u16, take_u32};
pub use id::id;
pub use ids::*;
pub use template::{Piece, Template};
pub use values::{ciphers, flag, mark, named, text};
