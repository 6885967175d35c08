//! Texts that a script names many times, each kept once, by its place.

use wick_wire::RecordError;

/// Variables, or patterns, in the order in which they first occur.
pub struct Names<T>(Vec<T>);

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> Names<T> {
    /// # Errors: there are more than places.
    pub fn place(&mut self, name: T) -> Result<u16, RecordError> {
        let place = self.0.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        });
        u16::try_from(place).map_err(|_| RecordError::Field)
    }

    pub fn into_boxed(self) -> Box<[T]> {
        self.0.into()
    }
}
