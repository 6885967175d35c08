//! Runs a script for a request.

use crate::escape;
use crate::script::{Compared, Script, Step};
use crate::text::{Quoting, Text};

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

/// Runs the steps, each once at most.
///
/// # Errors: those of the machine.
pub fn run<'r, M: Machine<'r>>(script: &Script, machine: &mut M) -> Result<End<'r>, M::Error> {
    let mut run = Run { quotes: true, is_moved: false, buffers: Default::default() };
    let mut steps = script.steps.iter();
    while let Some(step) = steps.next() {
        match step {
            Step::If { value, test, skip, level } => {
                if !run.holds(machine, value, test)? {
                    advance(&mut steps, *skip);
                } else if let Some(level) = level {
                    machine.enter(*level);
                }
            }
            step => {
                if let Some(end) = run.step(machine, step)? {
                    return Ok(end);
                }
            }
        }
    }
    Ok(End::Done { is_moved: run.is_moved })
}

/// Of a redirect's code nginx makes the text a `Location`. Source: nginx, `ngx_http_send_response`.
fn returned<'r, M: Machine<'r>>(
    code: u16,
    value: &Text,
    machine: &mut M,
    buffer: &mut Vec<u8>,
) -> Result<&'r [u8], M::Error> {
    buffer.clear();
    value.append(machine, Quoting { quotes: false }, buffer)?;
    if is_redirect(code) {
        escape::line(buffer, 0, false);
    }
    machine.keep(buffer)
}

/// Whether nginx leads a client elsewhere that gets this code.
pub(crate) fn is_redirect(code: u16) -> bool {
    matches!(code, 301 | 302 | 303 | 307 | 308)
}

fn advance(steps: &mut std::slice::Iter<'_, Step>, skip: u16) {
    if let Some(last) = usize::from(skip).checked_sub(1) {
        steps.nth(last);
    }
}

/// What nginx has in its script engine.
struct Run {
    /// From the beginning until a path is rewritten, groups are escaped where they are put. Source: nginx, `ngx_http_rewrite_handler`,
    /// which begins with `e->quote = 1`, and `ngx_http_script_regex_end_code`, which ends it.
    quotes: bool,
    is_moved: bool,
    buffers: [Vec<u8>; 2],
}

impl Run {
    /// How the request goes on; `None`: with the next step.
    fn step<'r, M: Machine<'r>>(
        &mut self,
        machine: &mut M,
        step: &Step,
    ) -> Result<Option<End<'r>>, M::Error> {
        let buffer = &mut self.buffers[0];
        match step {
            Step::Set { name, value } => {
                let value = value.kept(machine, Quoting { quotes: self.quotes }, buffer)?;
                machine.set((*name).into(), value)?;
            }
            Step::Rewrite(rewrite) => {
                if let Some(end) = rewrite.run(machine, buffer)? {
                    (self.quotes, self.is_moved) = (false, true);
                    return Ok(end);
                }
            }
            Step::Return { code, value } => {
                let kept = |value: &Text| returned(*code, value, machine, buffer);
                let text = value.as_ref().map(kept).transpose()?;
                return Ok(Some(End::Return { code: *code, text }));
            }
            Step::Break => return Ok(Some(End::Stopped)),
            Step::If { .. } => {}
        }
        Ok(None)
    }

    fn holds<'r, M: Machine<'r>>(
        &mut self,
        machine: &mut M,
        value: &Text,
        test: &Compared,
    ) -> Result<bool, M::Error> {
        let quoting = Quoting { quotes: self.quotes };
        let [first, second] = &mut self.buffers;
        Ok(match test {
            Compared::Filled => !matches!(value.get(machine, quoting, first)?, b"" | b"0"),
            Compared::Equal { text, is_wanted } => {
                let value = value.get(machine, quoting, first)?;
                (value == text.get(machine, quoting, second)?) == *is_wanted
            }
            Compared::Pattern { place, is_wanted } => {
                let subject = value.kept(machine, quoting, first)?;
                machine.is_match((*place).into(), subject)? == *is_wanted
            }
        })
    }
}
