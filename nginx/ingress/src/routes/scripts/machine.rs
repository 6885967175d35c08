//! A request of nginx, as a script sees it.

use ngx::ffi::{NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_int_t};
use wick_native::captures;
use wick_native::request::Request;
use wick_script::{End, MAX_BYTES, Machine, escaped_args, run};

use crate::limited_log::shown;
use crate::routes::patterns::Search;
use crate::routes::{readings, rewrite};
use crate::script::{self, ReadyScript, State, keep_groups};

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

/// A script and the request that it is run for.
pub struct Running<'a, 'r> {
    r: Request<'r>,
    script: &'a ReadyScript,
    search: &'a mut Search<'r>,
    /// Once a script has left something.
    state: Option<&'r State>,
    /// Index of the level that is in force; the first is from the beginning.
    pub level: usize,
    /// A pattern was tried.
    pub has_matched: bool,
    /// With nginx's lines of `rewrite_log on`.
    pub is_logged: bool,
    /// Places of the `if`s that hold, where somebody asks for them.
    pub held: Option<Vec<usize>>,
}

impl<'a, 'r> Running<'a, 'r> {
    pub fn new(
        r: Request<'r>,
        script: &'a ReadyScript,
        search: &'a mut Search<'r>,
    ) -> Running<'a, 'r> {
        let state = script::find(r);
        let (level, has_matched, is_logged, held) = (0, false, false, None);
        Running { r, script, search, state, level, has_matched, is_logged, held }
    }

    /// # Errors: what the request is answered.
    pub fn run(&mut self) -> Result<End<'r>, ngx_int_t> {
        let (script, worker) = (self.script, self.search.worker());
        let mut buffer = worker.scratch.take();
        let end = run(&script.script, self, &mut buffer);
        worker.scratch.set(buffer);
        end
    }

    fn state(&mut self) -> Result<&'r State, ngx_int_t> {
        if self.state.is_none() {
            self.state = script::of(self.r);
        }
        self.state.ok_or(INTERNAL_ERROR)
    }

    #[cold]
    fn fail(&self, why: std::fmt::Arguments<'_>) -> ngx_int_t {
        self.search.worker().errors.cannot_serve(self.r, why);
        INTERNAL_ERROR
    }
}

impl<'r> Machine<'r> for Running<'_, 'r> {
    /// What the request is answered.
    type Error = ngx_int_t;

    fn path(&self) -> &'r [u8] {
        self.r.uri()
    }

    fn args(&self) -> &'r [u8] {
        self.r.args()
    }

    fn variable(&mut self, place: usize) -> Option<&'r [u8]> {
        let name = &self.script.script.names()[place];
        if let Some(value) = self.state.and_then(|state| state.get(name)) {
            return Some(value);
        }
        self.script.variable(self.r, place).variable.fresh(self.r)
    }

    fn group(&self, n: u8) -> Option<&'r [u8]> {
        self.r.capture(n)
    }

    fn escapes_groups(&self) -> bool {
        self.r.has_escaped_path()
    }

    fn is_match(&mut self, place: usize, subject: &'r [u8]) -> Result<bool, ngx_int_t> {
        self.has_matched = true;
        let text = &self.script.script.patterns()[place].text;
        let tell = |why| {
            let line = format_args!("Cannot match the pattern \"{}\": {why}", shown(text));
            self.search.worker().bad_patterns.error(self.r.log(), line);
        };
        let named = self.script.pattern(place, tell).ok_or(INTERNAL_ERROR)?;
        let (pattern, names) = (&named.pattern, &named.names);
        let found = self.search.is_match(Some(pattern), text, subject);
        let is_match = found.map_err(|_| INTERNAL_ERROR)?;
        if self.is_logged {
            rewrite::note_match(self.r, format_args!("{}", shown(text)), subject, is_match);
        }
        if !is_match {
            captures::clear(self.r);
            return Ok(false);
        }
        let state = self.state()?;
        keep_groups(self.r, state, &self.search.worker().matching, names, subject)
            .ok_or(INTERNAL_ERROR)?;
        Ok(true)
    }

    fn keep(&mut self, text: &[u8]) -> Result<&'r [u8], ngx_int_t> {
        if !self.state()?.takes(text.len()) {
            return Err(self.fail(format_args!("its script makes too many long texts")));
        }
        self.r.pool().copy(text).map(|copy| &*copy).ok_or(INTERNAL_ERROR)
    }

    /// What could end the line of a request is escaped in arguments, which nginx passes on as they are.
    fn set(&mut self, place: usize, value: &'r [u8]) -> Result<(), ngx_int_t> {
        let name = &self.script.script.names()[place];
        if !self.script.variable(self.r, place).is_native {
            // SAFETY: a value of the request.
            unsafe { self.state()?.set(name, value) };
            return Ok(());
        }
        if **name == *b"args" {
            let args = match escaped_args(value) {
                None => value,
                Some(escaped) => self.keep(&escaped)?,
            };
            // SAFETY: it lives as long as the request.
            unsafe { self.r.set_args(args) };
            return Ok(());
        }
        let variable = &self.script.variable(self.r, place).variable;
        variable.set(self.r, value).map_err(|_| INTERNAL_ERROR)
    }

    fn set_path(&mut self, path: &'r [u8], args: Option<&'r [u8]>) -> Result<(), ngx_int_t> {
        if readings::has_dots(path) {
            return Err(readings::refuse_dots(self.r));
        }
        if let Some(args) = args {
            // SAFETY: they live as long as the request.
            unsafe { self.r.set_args(args) };
        }
        if rewrite::rewrite(self.r, path, self.is_logged) { Ok(()) } else { Err(INTERNAL_ERROR) }
    }

    fn enter(&mut self, level: u8) {
        self.level = level.into();
    }

    fn note_held(&mut self, step: usize) {
        if let Some(held) = &mut self.held {
            held.push(step);
        }
    }

    fn too_long(&self) -> ngx_int_t {
        self.fail(format_args!("a text of its script becomes longer than {MAX_BYTES} bytes"))
    }
}
