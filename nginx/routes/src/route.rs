//! One route: where it applies, which named location serves it, the values it brings along.

use std::num::NonZeroU16;
use std::rc::Rc;

use wick_access::Access;
use wick_limits::Limits;
use wick_script::Script;
use wick_tls::BackendTls;
use wick_wire::{Field, RecordError, Template, mark, max, numbers, route, take, words};

use crate::actions::Actions;
use crate::condition::Condition;
use crate::cors::Cors;
use crate::overrides::Overrides;
use crate::split::{Split, WeightedBackend};
use crate::values::{Header, header, status, variable_name};
use crate::waf::Waf;

/// How a route's path is compared with the path of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMatch {
    /// Equal, byte by byte.
    Exact,
    /// By path elements: `/cart` matches `/cart`, `/cart/` and `/cart/x`, not `/cartoon`.
    Prefix,
    /// A pattern of PCRE, at the start of the path, without regard to case.
    Regex,
    /// By bytes, as nginx's plain locations: `/cart` matches `/cartoon` too.
    StringPrefix,
    /// The same, and where it is the longest no pattern is tried: nginx's `^~`.
    StringPrefixFinal,
    /// A pattern of PCRE, anywhere in the path, with regard to case: nginx's `~`.
    Pattern,
    /// The same without regard to case: nginx's `~*`.
    PatternAnyCase,
}

impl PathMatch {
    pub fn is_pattern(self) -> bool {
        matches!(self, PathMatch::Regex | PathMatch::Pattern | PathMatch::PatternAnyCase)
    }
}

/// A value that the location sees as a variable of the same name; `Backend` is `$proxy_upstream_name`, `Host` the name of
/// the host's record, `$ingress_host`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Backend,
    Namespace,
    IngressName,
    ServiceName,
    ServicePort,
    LocationPath,
    Host,
}

impl Value {
    pub const COUNT: usize = 7;
    /// In the order in which they lie in [`Route::values`].
    pub const ALL: [Value; Self::COUNT] = [
        Value::Backend,
        Value::Namespace,
        Value::IngressName,
        Value::ServiceName,
        Value::ServicePort,
        Value::LocationPath,
        Value::Host,
    ];
}

/// One route of a host. Texts are bytes as they were posted (UTF-8 unless someone else wrote the zone).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// All values, then the path with a slash at its end, then the rule, then the location.
    text: Box<[u8]>,
    /// Where each value ends in `text`; the next one begins there.
    ends: [u32; Value::COUNT],
    slashed_path_end: u32,
    path_bytes: u32,
    rule_bytes: u16,
    pub path_match: PathMatch,
    /// A path without the slash at the end of this one's is not led here.
    pub has_no_slash_redirect: bool,
    /// The location in which its own stands, as nginx names it; `None`, as for most: in none.
    pub within: Option<Box<[u8]>>,
    /// What a request has to be beside its path. Empty, as for most: any.
    pub conditions: Box<[Condition]>,
    /// What takes the backend's place; `None`: nothing.
    pub split: Option<Box<Split>>,
    /// 400 to 599: the answer, given at once in the location's name. `None`: the location answers.
    pub status: Option<NonZeroU16>,
    /// Comes before `status`.
    pub redirect: Option<Box<Redirect>>,
    /// Of requests by plain HTTP; comes behind `redirect`.
    pub https_redirect: Option<Box<Redirect>>,
    /// Takes the place of the request's path.
    pub rewrite: Option<Box<Template>>,
    pub logs_rewrite: bool,
    /// Groups and result of `rewrite` have the escapes of the client.
    pub rewrites_raw: bool,
    /// What the location sees as `$route_<name>`, in the order of the record.
    pub variables: Box<[Variable]>,
    /// Headers of the response, in the order of the record.
    pub headers: Box<[Header]>,
    /// Who may request it; `None`: everybody.
    pub access: Option<Box<Access>>,
    /// `None`: nothing is said about other origins. Shared with requests, because the record may be replaced while they run.
    pub cors: Option<Rc<Cors>>,
    /// How much a client may request; `None`: any number.
    pub limits: Option<Box<Limits>>,
    /// `None`: requests are not traced.
    pub tracing: Option<Box<Tracing>>,
    /// Directives of nginx's rewrite module, run before `redirect` and `rewrite`; `None`: there are none. Shared with requests, because the
    /// record may be replaced while they run.
    pub script: Option<Rc<Script>>,
    /// `None`: nothing more becomes of its requests, as of those of most routes.
    pub actions: Option<Box<Actions>>,
    /// `None`: nothing inspects its requests, as those of most routes. Shared with requests, because the record may be replaced while they run.
    pub waf: Option<Rc<Waf>>,
    /// `None`: backends are spoken to as the location has it.
    pub backend_tls: Option<Box<BackendTls>>,
    /// `None`: the location's own numbers hold, as for most routes.
    pub overrides: Option<Box<Overrides>>,
    /// Id of a critical field that is not known here, of its own or of one within it. `Some`: the route is found as ever, and must not be served.
    pub unknown: Option<u8>,
}

/// An answer that leads elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// 300 to 308.
    pub code: u16,
    /// Not empty, though what comes of it may be.
    pub to: Template,
}

/// A variable of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// 1 to 63 bytes of `[a-z0-9_]`.
    pub name: Box<[u8]>,
    pub value: Template,
}

/// How its requests are traced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracing {
    /// What clients say of their own traces is ignored.
    pub begins_trace: bool,
    /// `None`: method and path say what a request is.
    pub span_name: Option<Template>,
}

impl Route {
    /// As the user wrote it. Begins with `/`, but for a pattern that may match anywhere.
    pub fn path(&self) -> &[u8] {
        &self.slashed_path()[..self.path_bytes as usize]
    }

    /// The path with a slash at its end.
    pub fn slashed_path(&self) -> &[u8] {
        &self.text[self.values().len()..self.slashed_path_end as usize]
    }

    /// What the object calls its rule; empty, as of most: it has no name.
    pub fn rule(&self) -> &[u8] {
        &self.text[self.slashed_path_end as usize..][..usize::from(self.rule_bytes)]
    }

    /// Name of the named location, without `@`.
    pub fn location(&self) -> &[u8] {
        &self.text[self.slashed_path_end as usize + usize::from(self.rule_bytes)..]
    }

    /// All values in one piece, so that one copy brings them into a request; [`Route::value_lengths`] divides it.
    pub fn values(&self) -> &[u8] {
        &self.text[..self.ends[Value::COUNT - 1] as usize]
    }

    /// Whether its location stands in that of `level`; `None`: in the server block.
    #[inline]
    pub(crate) fn is_at(&self, level: Option<&Route>) -> bool {
        match (&self.within, level) {
            (None, None) => true,
            (Some(name), Some(outer)) => outer.is_called(name),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }

    /// Whether nginx has a location of this name for it, in which others may stand.
    fn is_called(&self, name: &[u8]) -> bool {
        let behind = |mark: &[u8]| name.strip_prefix(mark) == Some(self.path());
        match self.path_match {
            PathMatch::Exact => false,
            PathMatch::Prefix => name == self.slashed_path(),
            PathMatch::StringPrefix | PathMatch::StringPrefixFinal => name == self.path(),
            PathMatch::Regex => behind(b"~* ^"),
            PathMatch::Pattern => behind(b"~ "),
            PathMatch::PatternAnyCase => behind(b"~* "),
        }
    }

    /// What tells it apart from any other route: its values, path, match and conditions, with their lengths, and where it stands.
    pub fn identity(&self) -> Vec<u8> {
        let mut identity = vec![self.path_match as u8];
        let values = Value::ALL.map(|value| self.value(value));
        for part in values.into_iter().chain([self.path()]) {
            identity.extend((part.len() as u32).to_le_bytes());
            identity.extend(part);
        }
        self.conditions.iter().for_each(|condition| condition.identify(&mut identity));
        identity.extend(self.within.as_deref().unwrap_or_default());
        identity
    }

    /// How many bytes of [`Route::values`] belong to each of [`Value::ALL`].
    pub fn value_lengths(&self) -> [u32; Value::COUNT] {
        let mut start = 0;
        self.ends.map(|end| end - std::mem::replace(&mut start, end))
    }

    /// One value; empty when the record has none.
    pub fn value(&self, value: Value) -> &[u8] {
        let index = value as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[index] as usize]
    }
}

/// A route while its fields are being read.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    path: Option<&'a [u8]>,
    path_match: Option<PathMatch>,
    has_no_slash_redirect: bool,
    within: Option<&'a [u8]>,
    rule: &'a [u8],
    location: Option<&'a [u8]>,
    backend: Option<&'a [u8]>,
    values: [&'a [u8]; Value::COUNT],
    conditions: Vec<Condition>,
    split: Option<Box<Split>>,
    status: Option<NonZeroU16>,
    redirect: Option<Box<Redirect>>,
    https_redirect: Option<Box<Redirect>>,
    rewrite: Option<Box<Template>>,
    logs_rewrite: bool,
    rewrites_raw: bool,
    variables: Vec<Variable>,
    headers: Vec<Header>,
    access: Option<Box<Access>>,
    cors: Option<Rc<Cors>>,
    limits: Option<Box<Limits>>,
    is_traced: bool,
    tracing: Tracing,
    script: Option<Rc<Script>>,
    actions: Option<Box<Actions>>,
    waf: Option<Rc<Waf>>,
    backend_tls: Option<Box<BackendTls>>,
    overrides: Overrides,
    unknown: Option<u8>,
}

impl<'a> Parts<'a> {
    pub fn of_host(name: &'a [u8]) -> Self {
        let mut parts = Self::default();
        parts.values[Value::Host as usize] = name;
        parts
    }

    /// Takes one field by its id (docs/wire.md 1, ROUTE).
    pub fn set(&mut self, field: Field<'a>) -> Result<(), RecordError> {
        let Field { id, is_critical, value: bytes } = field;
        match id {
            route::PATH => self.path = Some(bytes),
            route::MATCH => self.path_match = Some(path_match(bytes)?),
            route::LOCATION => self.location = Some(bytes),
            route::BACKEND => self.backend = Some(bytes),
            route::NAMESPACE => self.values[Value::Namespace as usize] = bytes,
            route::INGRESS_NAME => self.values[Value::IngressName as usize] = bytes,
            route::SERVICE_NAME => self.values[Value::ServiceName as usize] = bytes,
            route::SERVICE_PORT => self.values[Value::ServicePort as usize] = bytes,
            route::LOCATION_PATH => self.values[Value::LocationPath as usize] = bytes,
            route::STATUS => self.status = Some(status(bytes)?),
            route::REDIRECT => self.redirect = Some(redirect(bytes)?),
            route::HTTPS_REDIRECT => self.https_redirect = Some(redirect(bytes)?),
            route::REWRITE => self.rewrite = Some(Template::read(bytes)?.into()),
            route::LOG_REWRITE => self.logs_rewrite = mark(bytes)?,
            route::REWRITE_RAW => self.rewrites_raw = mark(bytes)?,
            route::VARIABLES => self.variables.push(variable(bytes)?),
            route::HEADERS => self.headers.push(header(bytes)?),
            route::ACCESS => self.read_access(bytes)?,
            route::CORS => match Cors::read(bytes) {
                Err(RecordError::Critical(_)) => self.unknown = Some(id),
                read => self.cors = Some(read?),
            },
            route::LIMITS => match Limits::read(bytes) {
                Err(RecordError::Critical(id)) => self.unknown = Some(id),
                read => self.limits = Some(read?.into()),
            },
            route::CONDITIONS => match Condition::read(bytes) {
                Err(RecordError::Critical(id)) => self.unknown = Some(id),
                read => self.conditions.push(read?),
            },
            route::SPLIT => match WeightedBackend::read(bytes) {
                Err(RecordError::Critical(id)) => self.unknown = Some(id),
                read => self.split.get_or_insert_default().push(read?),
            },
            route::SCRIPT => match Script::read(bytes) {
                Err(RecordError::Critical(id)) => self.unknown = Some(id),
                read => self.script = Some(read?.into()),
            },
            route::ACTIONS => match Actions::read(bytes) {
                Err(RecordError::Critical(id)) => self.unknown = Some(id),
                read => self.actions = Some(read?.into()),
            },
            route::WAF => match Waf::read(bytes) {
                Err(RecordError::Critical(id)) => self.unknown = Some(id),
                read => self.waf = Some(read?.into()),
            },
            route::BACKEND_TLS => match BackendTls::read(bytes) {
                Err(RecordError::Critical(id)) => self.unknown = Some(id),
                read => self.backend_tls = Some(read?.into()),
            },
            route::TRACE => self.is_traced = mark(bytes)?,
            route::TRACE_BEGINS => self.tracing.begins_trace = mark(bytes)?,
            route::WITHIN => self.within = Some(bytes),
            route::RULE => self.rule = rule(bytes)?,
            route::NO_SLASH_REDIRECT => self.has_no_slash_redirect = mark(bytes)?,
            route::SPAN_NAME => self.tracing.span_name = Some(Template::read(bytes)?),
            _ if self.overrides.set(id, bytes)? => {}
            _ if is_critical => self.unknown = Some(id),
            _ => {}
        }
        Ok(())
    }

    fn read_access(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        match Access::read(bytes) {
            Err(RecordError::Critical(id)) => self.unknown = Some(id),
            access => self.access = Some(access?.into()),
        }
        Ok(())
    }

    /// # Errors: `Missing` without path, match, location or backend; `Field` for a path that its match cannot have.
    pub fn route(mut self) -> Result<Route, RecordError> {
        let path = self.path.ok_or(RecordError::Missing)?;
        let path_match = self.path_match.ok_or(RecordError::Missing)?;
        if !is_path(path, path_match) {
            return Err(RecordError::Field);
        }
        let location = self.location.ok_or(RecordError::Missing)?;
        self.values[Value::Backend as usize] = self.backend.ok_or(RecordError::Missing)?;
        let slash: &[u8] = if path.ends_with(b"/") { b"" } else { b"/" };
        let mut end = 0;
        let ends = self.values.map(|value| {
            end += value.len() as u32;
            end
        });
        Ok(Route {
            text: [&self.values.concat(), path, slash, self.rule, location].concat().into(),
            ends,
            slashed_path_end: end + (path.len() + slash.len()) as u32,
            path_bytes: path.len() as u32,
            rule_bytes: self.rule.len() as u16,
            path_match,
            has_no_slash_redirect: self.has_no_slash_redirect,
            within: self.within.map(Into::into),
            conditions: self.conditions.into(),
            split: self.split,
            status: self.status,
            redirect: self.redirect,
            https_redirect: self.https_redirect,
            rewrite: self.rewrite,
            logs_rewrite: self.logs_rewrite,
            rewrites_raw: self.rewrites_raw,
            variables: self.variables.into(),
            headers: self.headers.into(),
            access: self.access,
            cors: self.cors,
            limits: self.limits,
            tracing: self.is_traced.then(|| self.tracing.into()),
            script: self.script,
            actions: self.actions,
            waf: self.waf,
            backend_tls: self.backend_tls,
            overrides: (!self.overrides.is_empty()).then(|| Box::new(self.overrides)),
            unknown: self.unknown,
        })
    }
}

fn rule(name: &[u8]) -> Result<&[u8], RecordError> {
    let fits =
        (1..=max::TEXT_BYTES).contains(&name.len()) && !name.iter().any(u8::is_ascii_control);
    if fits { Ok(name) } else { Err(RecordError::Field) }
}

/// Patterns that match anywhere need not begin with a slash, and none is too long. What begins with `@` is no path of a request.
fn is_path(path: &[u8], path_match: PathMatch) -> bool {
    let fits = !path_match.is_pattern() || path.len() <= max::TEXT_BYTES;
    let begins = match path_match {
        PathMatch::Pattern | PathMatch::PatternAnyCase => !path.is_empty(),
        PathMatch::Exact => path.starts_with(b"/") || path.starts_with(b"@"),
        _ => path.starts_with(b"/"),
    };
    fits && begins
}

fn path_match(bytes: &[u8]) -> Result<PathMatch, RecordError> {
    match bytes {
        [words::path_match::EXACT] => Ok(PathMatch::Exact),
        [words::path_match::PREFIX] => Ok(PathMatch::Prefix),
        [words::path_match::REGEX] => Ok(PathMatch::Regex),
        [words::path_match::STRING_PREFIX] => Ok(PathMatch::StringPrefix),
        [words::path_match::STRING_PREFIX_FINAL] => Ok(PathMatch::StringPrefixFinal),
        [words::path_match::PATTERN] => Ok(PathMatch::Pattern),
        [words::path_match::PATTERN_ANY_CASE] => Ok(PathMatch::PatternAnyCase),
        _ => Err(RecordError::Field),
    }
}

fn redirect(mut bytes: &[u8]) -> Result<Box<Redirect>, RecordError> {
    let code = take(&mut bytes, numbers::REDIRECT_CODE.bytes).ok_or(RecordError::Field)?;
    let code = numbers::REDIRECT_CODE.read(code)? as u16;
    if bytes.is_empty() {
        return Err(RecordError::Field);
    }
    Ok(Redirect { code, to: Template::read(bytes)? }.into())
}

fn variable(bytes: &[u8]) -> Result<Variable, RecordError> {
    let (name, value) = variable_name(bytes)?;
    Ok(Variable { name: name.into(), value: Template::read(value)? })
}
