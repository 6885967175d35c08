//! Patterns and texts that are looked for in headers of a response.

use std::cell::OnceCell;

use wick_native::pattern::{GaveUp, Pattern};
use wick_native::request::Request;

use super::super::index::{MODULE, MainConf};
use super::super::text::Text;
use super::budget::Budget;
use crate::limited_log::shown;
use crate::script::groups::{NamedPattern, keep_groups};
use crate::script::kept;

pub enum Sought {
    Text(Text),
    Pattern(Sample),
}

/// A pattern, compiled when it is first tried. Holds `None`: its text is none, and it matches nothing.
pub struct Sample {
    text: Box<[u8]>,
    any_case: bool,
    compiled: OnceCell<Option<NamedPattern>>,
}

impl Sought {
    pub fn of(sought: &wick_script::level::Sought) -> Sought {
        match sought {
            wick_script::level::Sought::Text(text) => Sought::Text(Text::of(text)),
            wick_script::level::Sought::Pattern { text, any_case } => Sought::Pattern(Sample {
                text: text.clone(),
                any_case: *any_case,
                compiled: OnceCell::new(),
            }),
        }
    }
}

impl Sample {
    /// Whether it matches; its groups are for templates then. One that takes too long does not, of which the log tells. `None`: out of memory.
    pub fn is_match(&self, r: Request, subject: &[u8], budget: &mut Budget) -> Option<bool> {
        // SAFETY: the module's main configuration.
        let main = unsafe { &*r.main_conf::<MainConf>(MODULE.get()) };
        let compile = || {
            let tell = |why| {
                let text = shown(&self.text);
                let line = format_args!("Cannot match the pattern \"{text}\": {why}");
                main.complaints.error(r.log(), line);
            };
            let compiled = Pattern::compile_anywhere(&self.text, self.any_case);
            compiled.map(NamedPattern::new).map_err(tell).ok()
        };
        let Some(named) = self.compiled.get_or_init(compile) else { return Some(false) };
        match try_it(main, named, subject, budget) {
            Ok(false) => Some(false),
            Ok(true) => {
                // Groups are parts of it for as long as the request lives.
                let subject = r.pool().copy(subject)?;
                keep_groups(r, kept::of(r)?, &main.matching, &named.names, subject)?;
                Some(true)
            }
            Err(GaveUp) => {
                let why = format_args!(
                    "the patterns for headers of its response take too long, last \"{}\": they stay as they are",
                    shown(&self.text)
                );
                main.complaints.cannot_serve(r, why);
                Some(false)
            }
        }
    }
}

fn try_it(
    main: &MainConf,
    named: &NamedPattern,
    subject: &[u8],
    budget: &mut Budget,
) -> Result<bool, GaveUp> {
    let Some(allowance) = &mut budget.patterns else { return Ok(false) };
    let found = allowance.spend(&named.pattern);
    let found = found.and_then(|()| main.matching.is_match(&named.pattern, subject));
    if found.is_err() {
        budget.patterns = None;
    }
    found
}

/// What a template becomes. `None`: out of memory; inside: it could end the header early, or there is no room left for it.
pub fn filled<'r>(text: &'r Text, r: Request<'r>, budget: &mut Budget) -> Option<Option<&'r [u8]>> {
    Some(text.header_value(r)?.filter(|value| budget.takes(value.len())))
}
