//! A script, ready to run: its variables and patterns are numbers, and what of it can be worked out once is.

use wick_wire::{RecordError, max};

use crate::directive::{Directive, Test};
use crate::level::Level;
use crate::names::Names;
use crate::rewrite::Rewrite;
use crate::text::Text;

/// Directives that run one behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    pub(crate) steps: Box<[Step]>,
    names: Box<[Box<[u8]>]>,
    patterns: Box<[PatternText]>,
    levels: Box<[Level]>,
}

/// A pattern of PCRE, which matches anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternText {
    pub text: Box<[u8]>,
    pub any_case: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Set { name: u16, value: Text },
    If { value: Text, test: Compared, skip: u16, level: Option<u8> },
    Rewrite(Box<Rewrite>),
    Return { code: u16, value: Option<Text> },
    Break,
}

/// What a value is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Filled,
    Equal { text: Text, is_wanted: bool },
    Pattern { place: u16, is_wanted: bool },
}

impl Script {
    /// # Errors: `Field` when there are too many steps or levels, or a text is too long, or a step leads where there is nothing.
    pub fn new(directives: &[Directive<'_>], levels: Vec<Level>) -> Result<Script, RecordError> {
        if directives.len() > max::STEPS || levels.len() > max::LEVELS {
            return Err(RecordError::Field);
        }
        let mut compiler = Compiler::default();
        let step = |(at, directive)| {
            let left = directives.len() - 1 - at;
            compiler.step(directive, left, levels.len())
        };
        let steps = directives.iter().enumerate().map(step).collect::<Result<_, _>>()?;
        let Compiler { names, patterns } = compiler;
        let (names, patterns) = (names.into_boxed(), patterns.into_boxed());
        Ok(Script { steps, names, patterns, levels: levels.into() })
    }

    /// The variables that it reads or sets, in lower case; a machine knows them by their places.
    pub fn names(&self) -> &[Box<[u8]>] {
        &self.names
    }

    pub fn patterns(&self) -> &[PatternText] {
        &self.patterns
    }

    /// The first, if there is one, is in force from the beginning.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// At most so many steps are run.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// A script while its steps are compiled.
#[derive(Default)]
struct Compiler {
    names: Names<Box<[u8]>>,
    patterns: Names<PatternText>,
}

impl Compiler {
    /// `left`: how many steps follow.
    fn step(
        &mut self,
        directive: &Directive<'_>,
        left: usize,
        levels: usize,
    ) -> Result<Step, RecordError> {
        Ok(match *directive {
            Directive::Set { name, value } => Step::Set {
                name: self.names.place(name.to_ascii_lowercase().into())?,
                value: Text::read(value, &mut self.names)?,
            },
            Directive::If { value, test, skip, level } => {
                let is_there = level.is_none_or(|level| usize::from(level) < levels);
                if usize::from(skip) > left || !is_there {
                    return Err(RecordError::Field);
                }
                let value = Text::read(value, &mut self.names)?;
                Step::If { value, test: self.compared(test)?, skip, level }
            }
            Directive::Rewrite { pattern, value, flag, drops_args } => {
                let pattern = self.pattern(pattern, false)?;
                Step::Rewrite(
                    Rewrite::new(pattern, value, flag, drops_args, &mut self.names)?.into(),
                )
            }
            Directive::Return { code, value } => {
                let value = value.map(|value| Text::read(value, &mut self.names));
                Step::Return { code, value: value.transpose()? }
            }
            Directive::Break => Step::Break,
        })
    }

    fn compared(&mut self, test: Test<'_>) -> Result<Compared, RecordError> {
        Ok(match test {
            Test::Filled => Compared::Filled,
            Test::Equal(text) => {
                Compared::Equal { text: Text::read(text, &mut self.names)?, is_wanted: true }
            }
            Test::Unequal(text) => {
                Compared::Equal { text: Text::read(text, &mut self.names)?, is_wanted: false }
            }
            Test::Match { pattern, any_case } => {
                Compared::Pattern { place: self.pattern(pattern, any_case)?, is_wanted: true }
            }
            Test::Mismatch { pattern, any_case } => {
                Compared::Pattern { place: self.pattern(pattern, any_case)?, is_wanted: false }
            }
        })
    }

    fn pattern(&mut self, text: &[u8], any_case: bool) -> Result<u16, RecordError> {
        if text.len() > max::TEXT_BYTES {
            return Err(RecordError::Field);
        }
        self.patterns.place(PatternText { text: text.into(), any_case })
    }
}
