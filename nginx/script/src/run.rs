//! Runs a script for a request.

use crate::directive::is_redirect;
use crate::escape;
use crate::machine::{End, Machine};
use crate::script::{Compared, Script, Step};
use crate::text::{Quoting, Text};

/// Runs the steps, each once at most. `buffer` is where texts are put together; what is in it does not matter.
///
/// # Errors: those of the machine.
pub fn run<'r, M: Machine<'r>>(
    script: &Script,
    machine: &mut M,
    buffer: &mut Vec<u8>,
) -> Result<End<'r>, M::Error> {
    let mut run = Run { quotes: true, is_moved: false, buffer, other: Vec::new() };
    let mut steps = script.steps.iter();
    while let Some(step) = steps.next() {
        match step {
            Step::If { value, test, skip, level } => {
                if !run.holds(machine, value, test)? {
                    advance(&mut steps, *skip);
                    continue;
                }
                machine.note_held(script.len() - steps.len() - 1);
                if let Some(level) = level {
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

fn advance(steps: &mut std::slice::Iter<'_, Step>, skip: u16) {
    if let Some(last) = usize::from(skip).checked_sub(1) {
        steps.nth(last);
    }
}

/// What nginx has in its script engine.
struct Run<'b> {
    /// From the beginning until a path is rewritten, groups are escaped where they are put. Source: nginx, `ngx_http_rewrite_handler`,
    /// which begins with `e->quote = 1`, and `ngx_http_script_regex_end_code`, which ends it.
    quotes: bool,
    is_moved: bool,
    buffer: &'b mut Vec<u8>,
    /// For what is compared with another text; mostly one of the two is at hand.
    other: Vec<u8>,
}

impl Run<'_> {
    /// How the request goes on; `None`: with the next step.
    fn step<'r, M: Machine<'r>>(
        &mut self,
        machine: &mut M,
        step: &Step,
    ) -> Result<Option<End<'r>>, M::Error> {
        let buffer = &mut *self.buffer;
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
        let (first, second) = (&mut *self.buffer, &mut self.other);
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
