//! A request that exists in a test only. Its patterns are texts that a subject begins with; the rest is `$1`, and `$rest` if the pattern ends in `+`.

use std::collections::HashMap;

use wick_script::{Directive, End, Flag, Level, Machine, Script, run};

#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    TooLong,
    OutOfMemory,
    BadPath,
}

/// Texts live as long as it does.
pub struct Fake<'s> {
    script: &'s Script,
    pub path: &'static [u8],
    pub args: &'static [u8],
    pub has_escapes: bool,
    pub variables: HashMap<Vec<u8>, &'static [u8]>,
    pub level: u8,
    group: Option<&'static [u8]>,
    /// What it was asked, and told.
    pub calls: usize,
    pub kept: usize,
    texts: Vec<Box<[u8]>>,
}

/// What all texts of a request together may take.
const ROOM: usize = 256 << 10;

impl<'s> Fake<'s> {
    pub fn new(script: &'s Script, target: &'static str) -> Fake<'s> {
        let (path, args) = target.split_once('?').unwrap_or((target, ""));
        Fake {
            script,
            path: path.as_bytes(),
            args: args.as_bytes(),
            has_escapes: false,
            variables: HashMap::new(),
            level: 0,
            group: None,
            calls: 0,
            kept: 0,
            texts: Vec::new(),
        }
    }

    pub fn with(mut self, name: &str, value: &'static str) -> Self {
        self.variables.insert(name.into(), value.as_bytes());
        self
    }

    pub fn run(&mut self) -> Result<End<'static>, Fault> {
        run(self.script, self, &mut Vec::new())
    }

    pub fn target(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        format!("{}?{}", text(self.path), text(self.args))
    }
}

impl Machine<'static> for Fake<'_> {
    type Error = Fault;

    fn path(&self) -> &'static [u8] {
        self.path
    }

    fn args(&self) -> &'static [u8] {
        self.args
    }

    fn variable(&mut self, place: usize) -> Option<&'static [u8]> {
        self.calls += 1;
        match &*self.script.names()[place] {
            b"uri" => Some(self.path),
            b"args" => Some(self.args),
            name => self.variables.get(name).copied(),
        }
    }

    fn group(&self, n: u8) -> Option<&'static [u8]> {
        self.group.filter(|_| n == 1)
    }

    fn escapes_groups(&self) -> bool {
        self.has_escapes
    }

    fn is_match(&mut self, pattern: usize, subject: &'static [u8]) -> Result<bool, Fault> {
        self.calls += 1;
        let pattern = &self.script.patterns()[pattern];
        let (start, is_named) = match pattern.text.strip_suffix(b"+") {
            Some(start) => (start, true),
            None => (&*pattern.text, false),
        };
        let is_equal =
            |a: &[u8]| if pattern.any_case { a.eq_ignore_ascii_case(start) } else { a == start };
        self.group = subject
            .split_at_checked(start.len())
            .filter(|(a, _)| is_equal(a))
            .map(|(_, rest)| rest);
        if let (Some(rest), true) = (self.group, is_named) {
            self.variables.insert(b"rest".to_vec(), rest);
        }
        Ok(self.group.is_some())
    }

    fn keep(&mut self, text: &[u8]) -> Result<&'static [u8], Fault> {
        self.calls += 1;
        self.kept += text.len();
        if self.kept > ROOM {
            return Err(Fault::OutOfMemory);
        }
        let text: Box<[u8]> = text.into();
        let place = std::ptr::from_ref(&*text);
        self.texts.push(text);
        // SAFETY: it stays where it is until the request is dropped; no test looks at its texts later.
        Ok(unsafe { &*place })
    }

    fn set(&mut self, place: usize, value: &'static [u8]) -> Result<(), Fault> {
        self.calls += 1;
        match &*self.script.names()[place] {
            b"args" => self.args = value,
            name => drop(self.variables.insert(name.into(), value)),
        }
        Ok(())
    }

    fn set_path(&mut self, path: &'static [u8], args: Option<&'static [u8]>) -> Result<(), Fault> {
        self.calls += 1;
        self.path = path;
        self.args = args.unwrap_or(self.args);
        if path.is_empty() { Err(Fault::BadPath) } else { Ok(()) }
    }

    fn enter(&mut self, level: u8) {
        self.level = level;
    }

    fn too_long(&self) -> Fault {
        Fault::TooLong
    }
}

pub fn script(directives: &[Directive<'_>]) -> Script {
    Script::new(directives, vec![Level::default(); 64]).unwrap()
}

pub fn set<'a>(name: &'a str, value: &'a str) -> Directive<'a> {
    Directive::Set { name: name.as_bytes(), value: value.as_bytes() }
}

/// A value that ends in `?` drops the arguments.
pub fn rewrite<'a>(pattern: &'a str, value: &'a str, flag: Flag) -> Directive<'a> {
    let (value, drops_args) = match value.strip_suffix('?') {
        Some(value) => (value, true),
        None => (value, false),
    };
    Directive::Rewrite { pattern: pattern.as_bytes(), value: value.as_bytes(), flag, drops_args }
}

pub fn returned(code: u16, value: Option<&str>) -> Directive<'_> {
    Directive::Return { code, value: value.map(str::as_bytes) }
}
