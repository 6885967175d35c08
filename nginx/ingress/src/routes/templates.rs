//! Templates of routes, filled in for a request.

use std::cell::OnceCell;

use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_routes::{PathMatch, Piece, Route, Template};

use super::worker::Worker;
use crate::limited_log::shown;

/// The templates of one route.
#[derive(Default)]
pub struct Templates {
    pub redirect: Prepared,
    pub https_redirect: Prepared,
    pub rewrite: Prepared,
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
            || !route.variables.is_empty();
        has_some.then(Box::default)
    }
}

/// A template as nginx knows it. Its variables are looked up at the first use: requests know where.
#[derive(Default)]
pub struct Prepared(OnceCell<Box<[Part]>>);

enum Part {
    Text(Box<[u8]>),
    Variable(Variable),
    Group(u8),
}

impl Prepared {
    fn parts(&self, template: &Template, r: Request) -> &[Part] {
        let part = |piece: Piece<'_>| match piece {
            Piece::Text(text) => Part::Text(text.into()),
            Piece::Variable(name) => Part::Variable(Variable::resolve(r, name)),
            Piece::Group(n) => Part::Group(n),
        };
        self.0.get_or_init(|| template.pieces().map(part).collect())
    }
}

/// What a filled template is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A path: any bytes.
    Path,
    /// A header's value: bytes that could end it are escaped, `%0A`.
    Header,
}

/// Keeps a template that names large variables many times from filling the worker's memory.
const MAX_BYTES: usize = 64 << 10;

/// Where a template's variables and groups come from.
pub struct Filling<'a, 'r> {
    pub r: Request<'r>,
    pub worker: &'a Worker,
    /// The path that the route's pattern has matched; `None` if it has no pattern.
    matched: Option<&'r [u8]>,
}

impl<'a, 'r> Filling<'a, 'r> {
    /// To be made right after `route` was found, before its path is rewritten.
    pub fn new(r: Request<'r>, worker: &'a Worker, route: &Route) -> Filling<'a, 'r> {
        let matched = (route.path_match == PathMatch::Regex).then(|| r.uri());
        Filling { r, worker, matched }
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
        let all = prepared.parts(template, self.r).iter();
        let fits = all.map(|part| self.value(part)).all(|value| put(&mut text, value, purpose));
        let filled = if fits { self.r.pool().copy(&text) } else { self.too_long(template) };
        scratch.set(text);
        filled.map(|text| &*text)
    }

    /// Empty where the request has no such thing.
    fn value<'p>(&'p self, part: &'p Part) -> &'p [u8] {
        let value = match part {
            Part::Text(text) => Some(&**text),
            Part::Variable(variable) => variable.get(self.r),
            Part::Group(n) => self.matched.and_then(|path| self.worker.matching.group(*n, path)),
        };
        value.unwrap_or_default()
    }

    #[cold]
    fn too_long<T>(&self, template: &Template) -> Option<T> {
        let text = shown(template.text());
        let why = format_args!("\"{text}\" becomes longer than {MAX_BYTES} bytes");
        self.worker.errors.cannot_serve(self.r, why);
        None
    }
}

/// Appends `value`; false when the text would become too long.
fn put(text: &mut Vec<u8>, value: &[u8], purpose: Purpose) -> bool {
    if purpose == Purpose::Path || !value.iter().any(u8::is_ascii_control) {
        text.extend_from_slice(value);
    } else {
        value.iter().for_each(|byte| put_printable(text, *byte));
    }
    text.len() <= MAX_BYTES
}

fn put_printable(text: &mut Vec<u8>, byte: u8) {
    if byte.is_ascii_control() {
        let digit = |nibble: u8| b"0123456789ABCDEF"[usize::from(nibble)];
        text.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
    } else {
        text.push(byte);
    }
}
