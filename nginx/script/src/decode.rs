//! A script as bytes (docs/wire.md, SCRIPT) → its steps.

use wick_wire::{Field, Fields, RecordError, mark, max, numbers, script, step, words};

use crate::directive::{Directive, Flag, Test, is_redirect};
use crate::level::Level;
use crate::script::Script;

impl Script {
    /// Reads the value of a host's or a route's field.
    ///
    /// # Errors: `Critical` when it says something that is not known here, `Missing` and `Field` when a step is damaged.
    pub fn read(value: &[u8]) -> Result<Script, RecordError> {
        let (mut directives, mut levels) = (Vec::new(), Vec::new());
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                script::STEPS => directives.push(directive(field.value)?),
                script::LEVELS => levels.push(Level::read(field.value)?),
                _ => field.skip()?,
            }
        }
        Script::new(&directives, levels)
    }
}

/// The fields of one step.
#[derive(Default)]
struct Parts<'a> {
    op: Option<u8>,
    name: Option<&'a [u8]>,
    value: Option<&'a [u8]>,
    test: Option<u8>,
    pattern: Option<&'a [u8]>,
    against: Option<&'a [u8]>,
    skip: u16,
    level: Option<u8>,
    code: Option<u16>,
    flag: Flag,
    drops_args: bool,
    is_url: bool,
}

fn directive(bytes: &[u8]) -> Result<Directive<'_>, RecordError> {
    let mut parts = Parts::default();
    for field in Fields::new(bytes) {
        parts.set(field?)?;
    }
    parts.directive()
}

impl<'a> Parts<'a> {
    fn set(&mut self, field: Field<'a>) -> Result<(), RecordError> {
        let value = field.value;
        match field.id {
            step::OP => self.op = Some(word(value)?),
            step::NAME => self.name = Some(value),
            step::VALUE => self.value = Some(value),
            step::TEST => self.test = Some(word(value)?),
            step::PATTERN => self.pattern = Some(value),
            step::AGAINST => self.against = Some(value),
            step::SKIP => self.skip = numbers::STEP_SKIP.read(value)? as u16,
            step::LEVEL => self.level = Some(numbers::STEP_LEVEL.read(value)? as u8),
            step::CODE => self.code = Some(numbers::RETURN_CODE.read(value)? as u16),
            step::FLAG => self.flag = flag(word(value)?)?,
            step::DROPS_ARGS => self.drops_args = mark(value)?,
            step::IS_URL => self.is_url = mark(value)?,
            _ => field.skip()?,
        }
        Ok(())
    }

    fn directive(self) -> Result<Directive<'a>, RecordError> {
        let value = || self.value.ok_or(RecordError::Missing);
        Ok(match self.op.ok_or(RecordError::Missing)? {
            words::step_op::SET => Directive::Set { name: self.name()?, value: value()? },
            words::step_op::IF => Directive::If {
                value: value()?,
                test: self.test()?,
                skip: self.skip,
                level: self.level,
            },
            words::step_op::REWRITE => Directive::Rewrite {
                pattern: self.pattern()?,
                value: value()?,
                flag: self.flag,
                drops_args: self.drops_args,
            },
            words::step_op::RETURN => self.returned()?,
            words::step_op::BREAK => Directive::Break,
            _ => return Err(RecordError::Critical(step::OP)),
        })
    }

    fn name(&self) -> Result<&'a [u8], RecordError> {
        let name = self.name.ok_or(RecordError::Missing)?;
        let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let is_name = (1..=max::VARIABLE_BYTES).contains(&name.len()) && name.iter().all(allowed);
        if is_name { Ok(name) } else { Err(RecordError::Field) }
    }

    fn pattern(&self) -> Result<&'a [u8], RecordError> {
        self.pattern.ok_or(RecordError::Missing)
    }

    fn test(&self) -> Result<Test<'a>, RecordError> {
        use words::step_test as test;
        let against = || self.against.ok_or(RecordError::Missing);
        let word = self.test.ok_or(RecordError::Missing)?;
        let any_case = matches!(word, test::MATCH_ANY_CASE | test::MISMATCH_ANY_CASE);
        Ok(match word {
            test::FILLED => Test::Filled,
            test::EQUAL => Test::Equal(against()?),
            test::UNEQUAL => Test::Unequal(against()?),
            test::MATCH | test::MATCH_ANY_CASE => {
                Test::Match { pattern: self.pattern()?, any_case }
            }
            test::MISMATCH | test::MISMATCH_ANY_CASE => {
                Test::Mismatch { pattern: self.pattern()?, any_case }
            }
            _ => return Err(RecordError::Critical(step::TEST)),
        })
    }

    /// An address has the code of a redirect, and a redirect's code an address: nginx goes by the code (`ngx_http_send_response`).
    fn returned(&self) -> Result<Directive<'a>, RecordError> {
        let code = self.code.ok_or(RecordError::Missing)?;
        if self.is_url && (!is_redirect(code) || self.value.is_none()) {
            return Err(RecordError::Field);
        }
        Ok(Directive::Return { code, value: self.value })
    }
}

fn word(value: &[u8]) -> Result<u8, RecordError> {
    if let [word] = value { Ok(*word) } else { Err(RecordError::Field) }
}

fn flag(word: u8) -> Result<Flag, RecordError> {
    use words::rewrite_flag as flag;
    Ok(match word {
        flag::NONE => Flag::None,
        flag::LAST => Flag::Last,
        flag::BREAK => Flag::Break,
        flag::REDIRECT => Flag::Redirect,
        flag::PERMANENT => Flag::Permanent,
        _ => return Err(RecordError::Critical(step::FLAG)),
    })
}
