//! Templates of routes, filled in for a request.

use std::cell::OnceCell;

use wick_native::pattern::Pattern;
use wick_native::request::Request;
use wick_routes::{Route, Template};

use super::patterns;
use super::worker::Worker;
use crate::limited_log::shown;
use crate::script;
use crate::template::MAX_BYTES;
pub use crate::template::{Prepared, Purpose};

/// The templates of one route.
#[derive(Default)]
pub struct Templates {
    pub redirect: Prepared,
    pub https_redirect: Prepared,
    pub rewrite: Prepared,
    /// The route's path as a pattern, for paths as clients write them, and for those that a script has made. Holds `None`: its text is none.
    pattern: OnceCell<Option<Pattern>>,
    pub span_name: Prepared,
    /// Of the route's variables, those that the configuration uses.
    pub variables: OnceCell<Box<[Assignment]>>,
}

/// What a variable of the configuration gets.
pub struct Assignment {
    /// Index of the variable in nginx's array.
    pub index: usize,
    /// Index in `Route::variables`.
    pub nth: usize,
    pub prepared: Prepared,
}

impl Templates {
    /// `None`: the route has no template.
    pub fn of(route: &Route) -> Option<Box<Templates>> {
        let has_some = route.redirect.is_some()
            || route.https_redirect.is_some()
            || route.rewrite.is_some()
            || route.tracing.as_ref().is_some_and(|tracing| tracing.span_name.is_some())
            || !route.variables.is_empty();
        has_some.then(Box::default)
    }
}

/// Where a template's variables and groups come from.
#[derive(Clone, Copy)]
pub struct Filling<'a, 'r> {
    pub r: Request<'r>,
    pub worker: &'a Worker,
    groups: Groups<'r>,
    /// Scripts may have set variables.
    is_scripted: bool,
}

/// What `$1` to `$9` are.
#[derive(Clone, Copy)]
enum Groups<'r> {
    /// The route has no pattern.
    Empty,
    /// What its pattern has matched in this path.
    OfPath(&'r [u8]),
    /// What the request's script has left.
    OfScript,
}

impl<'r> Groups<'r> {
    fn of_path(route: &Route, path: &'r [u8]) -> Groups<'r> {
        if route.path_match.is_pattern() { Groups::OfPath(path) } else { Groups::Empty }
    }
}

impl<'a, 'r> Filling<'a, 'r> {
    /// To be made right after `route` was found, before its path is rewritten.
    pub fn new(
        r: Request<'r>,
        worker: &'a Worker,
        route: &Route,
        is_scripted: bool,
    ) -> Filling<'a, 'r> {
        let groups = Groups::of_path(route, r.uri());
        Filling { r, worker, groups, is_scripted }
    }

    /// The same, with the variables that a script has set since, and the groups of its patterns. `has_matched`: it has tried some.
    pub fn behind_script(self, has_matched: bool) -> Filling<'a, 'r> {
        let groups = if has_matched { Groups::OfScript } else { self.groups };
        Filling { is_scripted: true, groups, ..self }
    }

    /// The same with the path as it is now; other patterns have been tried since. `None`: the route's does not match.
    pub fn match_again(&self, route: &Route, templates: &Templates) -> Option<Filling<'a, 'r>> {
        let path = self.r.uri();
        let is_match = self.is_match(route, templates, path);
        is_match.then(|| Filling { groups: Groups::of_path(route, path), ..*self })
    }

    /// The same with the path as the client wrote it. `None`: the route's pattern does not match that, or the request asks for another one by now.
    pub fn with_escapes(&self, route: &Route, templates: &Templates) -> Option<Filling<'a, 'r>> {
        let Groups::OfPath(decoded) = self.groups else { return Some(*self) };
        let path = self.r.written_path()?;
        if self.is_match(route, templates, path) {
            return Some(Filling { groups: Groups::OfPath(path), ..*self });
        }
        // Its groups are those of the latest match.
        self.is_match(route, templates, decoded);
        None
    }

    fn is_match(&self, route: &Route, templates: &Templates, path: &[u8]) -> bool {
        let compiled = templates.pattern.get_or_init(|| patterns::compile(route).ok());
        let finds = |pattern| self.worker.matching.is_match(pattern, path);
        compiled.as_ref().is_some_and(|pattern| finds(pattern) == Ok(true))
    }

    /// The text for this request, in its memory. `None`: it would be too long, and the log says so, or memory is out.
    pub fn fill(
        &self,
        prepared: &Prepared,
        template: &Template,
        purpose: Purpose,
    ) -> Option<&'r [u8]> {
        let scratch = &self.worker.scratch;
        let mut text = scratch.take();
        text.clear();
        let group = |n| match self.groups {
            Groups::Empty => None,
            Groups::OfPath(path) => self.worker.matching.group(n, path),
            Groups::OfScript => self.r.capture(n),
        };
        let script = if self.is_scripted { script::find(self.r) } else { None };
        let fits = prepared.append(template, self.r, purpose, script, group, &mut text);
        let filled = if fits { self.r.pool().copy(&text) } else { self.too_long(template) };
        scratch.set(text);
        filled.map(|text| &*text)
    }

    #[cold]
    fn too_long<T>(&self, template: &Template) -> Option<T> {
        let text = shown(template.text());
        let why = format_args!("\"{text}\" becomes longer than {MAX_BYTES} bytes");
        self.worker.errors.cannot_serve(self.r, why);
        None
    }
}
