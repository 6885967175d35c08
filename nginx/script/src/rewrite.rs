//! `rewrite`: another path for the request, or an address that it is led to.

use wick_wire::RecordError;

use crate::directive::Flag;
use crate::escape;
use crate::machine::{End, Machine};
use crate::names::Names;
use crate::text::{Quoting, Text};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewrite {
    pattern: u16,
    value: Text,
    leads: Leads,
    drops_args: bool,
}

/// Where a rewritten request goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leads {
    On,
    Again,
    Stop,
    Away(u16),
}

impl Rewrite {
    /// An address is a redirect, whatever the flag. Source: nginx, `ngx_http_rewrite`.
    pub fn new(
        pattern: u16,
        value: &[u8],
        flag: Flag,
        drops_args: bool,
        names: &mut Names<Box<[u8]>>,
    ) -> Result<Rewrite, RecordError> {
        let begins = |text: &[u8]| value.starts_with(text);
        let is_address = begins(b"http://") || begins(b"https://") || begins(b"$scheme");
        let leads = match flag {
            Flag::Permanent => Leads::Away(301),
            Flag::Redirect => Leads::Away(302),
            _ if is_address => Leads::Away(302),
            Flag::None => Leads::On,
            Flag::Last => Leads::Again,
            Flag::Break => Leads::Stop,
        };
        let value = match leads {
            Leads::Away(_) => Text::read(value, names)?,
            _ => Text::read_path(value, names)?,
        };
        Ok(Rewrite { pattern, value, leads, drops_args })
    }

    /// `None`: the pattern does not match. `Some(None)`: the path is another one, and the next step is run.
    /// Source: nginx, `ngx_http_script_regex_start_code`, `ngx_http_script_regex_end_code`.
    ///
    /// # Errors: those of the machine.
    pub fn run<'r, M: Machine<'r>>(
        &self,
        machine: &mut M,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<Option<End<'r>>>, M::Error> {
        if !machine.is_match(self.pattern.into(), machine.path())? {
            return Ok(None);
        }
        buffer.clear();
        if let Leads::Away(code) = self.leads {
            let location = self.location(machine, buffer)?;
            return Ok(Some(Some(End::Redirect { code, location })));
        }
        self.set_path(machine, buffer)?;
        Ok(Some(match self.leads {
            Leads::Again => Some(End::Again),
            Leads::Stop => Some(End::Stopped),
            Leads::On | Leads::Away(_) => None,
        }))
    }

    fn location<'r, M: Machine<'r>>(
        &self,
        machine: &mut M,
        buffer: &mut Vec<u8>,
    ) -> Result<&'r [u8], M::Error> {
        self.value.append(machine, Quoting { quotes: true }, buffer)?;
        escape::unescape_address(buffer);
        let args = machine.args();
        if !self.drops_args && !args.is_empty() {
            buffer.push(if self.value.has_question() { b'&' } else { b'?' });
            buffer.extend_from_slice(args);
        }
        escape::line(buffer, 0, false);
        machine.keep(buffer)
    }

    fn set_path<'r, M: Machine<'r>>(
        &self,
        machine: &mut M,
        buffer: &mut Vec<u8>,
    ) -> Result<(), M::Error> {
        let args_at = self.value.append(machine, Quoting { quotes: false }, buffer)?;
        let args = match args_at {
            Some(at) => {
                escape::line(buffer, at, true);
                let old = machine.args();
                if !self.drops_args && !old.is_empty() {
                    buffer.push(b'&');
                    buffer.extend_from_slice(old);
                }
                Some(machine.keep(&buffer[at..])?)
            }
            None => self.drops_args.then_some(&b""[..]),
        };
        let path = machine.keep(&buffer[..args_at.unwrap_or(buffer.len())])?;
        machine.set_path(path, args)
    }
}
