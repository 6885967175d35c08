//! A script as a worker keeps it: with its patterns, and where nginx has its variables.

use std::cell::OnceCell;
use std::rc::Rc;

use wick_native::pattern::{BadPattern, Pattern};
use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_routes::Script;

use super::effects::Effects;
use super::groups::{Named, NamedPattern};

pub struct ReadyScript {
    pub script: Rc<Script>,
    /// What its levels do, parallel to them.
    pub effects: Box<[Rc<Effects>]>,
    /// Parallel to the script's: each compiled when it is first tried. Holds `None`: its text is none.
    patterns: Box<[OnceCell<Option<NamedPattern>>]>,
    /// Parallel to the script's names; looked up at the first use: requests know where.
    variables: OnceCell<Box<[Place]>>,
    /// Groups of its route's path that have names; looked up at the first use.
    pub path_names: OnceCell<Box<[Named]>>,
}

/// Where a variable of a script is.
pub struct Place {
    /// Where nginx has it, unless a script has set it.
    pub variable: Variable,
    /// A script sets nginx's own: any other name that it sets is its own, for what nginx and its configuration know of a request is
    /// nothing that a route may change.
    pub is_native: bool,
}

impl ReadyScript {
    pub fn new(script: &Rc<Script>) -> Rc<ReadyScript> {
        let patterns = script.patterns().iter().map(|_| OnceCell::new()).collect();
        let effects = script.levels().iter().map(Effects::of).collect();
        let (script, variables, path_names) = (script.clone(), OnceCell::new(), OnceCell::new());
        Rc::new(ReadyScript { script, effects, patterns, variables, path_names })
    }

    /// A pattern by its place. `None`: its text is none, of which `tell` has been told the first time.
    pub fn pattern(&self, place: usize, tell: impl FnOnce(BadPattern)) -> Option<&NamedPattern> {
        let compile = || {
            let text = &self.script.patterns()[place];
            let compiled = Pattern::compile_anywhere(&text.text, text.any_case);
            compiled.map(NamedPattern::new).map_err(tell).ok()
        };
        self.patterns[place].get_or_init(compile).as_ref()
    }

    pub fn variable(&self, r: Request, place: usize) -> &Place {
        let of = |name: &[u8]| Place {
            variable: Variable::resolve(r, name),
            is_native: matches!(name, b"args" | b"limit_rate"),
        };
        let all = || self.script.names().iter().map(|name| of(name)).collect();
        &self.variables.get_or_init(all)[place]
    }
}
