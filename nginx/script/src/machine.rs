//! What a script asks of a request, and what becomes of it.

/// The request that a script is run for. Variables and patterns are named by their places in the script.
pub trait Machine<'r> {
    /// Why a request fails. The machine has told the log.
    type Error;

    /// The decoded path, as it is now.
    fn path(&self) -> &'r [u8];
    /// The arguments as they are now.
    fn args(&self) -> &'r [u8];
    /// Worked out anew where nginx says that it may have changed. `None`: the request has none.
    fn variable(&mut self, place: usize) -> Option<&'r [u8]>;
    /// What group `n` of the last pattern that was tried has matched.
    fn group(&self, n: u8) -> Option<&'r [u8]>;
    /// The client has written its path with escapes.
    fn escapes_groups(&self) -> bool;
    /// From now on groups are those of this pattern; of one that does not match there are none.
    /// # Errors: the pattern is none, or takes too long.
    fn is_match(&mut self, pattern: usize, subject: &'r [u8]) -> Result<bool, Self::Error>;
    /// Copies a text into the request's memory.
    /// # Errors: there is no more of it for this request.
    fn keep(&mut self, text: &[u8]) -> Result<&'r [u8], Self::Error>;
    /// # Errors: the variable cannot have this value.
    fn set(&mut self, place: usize, value: &'r [u8]) -> Result<(), Self::Error>;
    /// `args`: none stays as they are.
    /// # Errors: a request cannot have this path.
    fn set_path(&mut self, path: &'r [u8], args: Option<&'r [u8]>) -> Result<(), Self::Error>;
    /// Another level is in force.
    fn enter(&mut self, level: u8);
    /// The `if` at this place of the script holds.
    fn note_held(&mut self, _step: usize) {}
    /// A text is longer than [`crate::MAX_BYTES`].
    fn too_long(&self) -> Self::Error;
}

/// How a request goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<'r> {
    /// All steps were run. `is_moved`: the path is another one, and unless something of the route says where it is for, its route is too.
    Done { is_moved: bool },
    /// `break`: here, with the path that it has.
    Stopped,
    /// `last`: where its new path leads.
    Again,
    /// With this status. `text`: a body, or of a redirect's code the address, in which nothing could end a header's line.
    Return { code: u16, text: Option<&'r [u8]> },
    /// To an address, as above.
    Redirect { code: u16, location: &'r [u8] },
}
