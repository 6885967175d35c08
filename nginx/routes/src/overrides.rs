//! Numbers of a route that are in force instead of its policy's own.

#[rustfmt::skip]
mod fields;
mod values;

pub use fields::Overrides;
pub use values::NextUpstream;

impl Overrides {
    /// Nothing to put in force.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
