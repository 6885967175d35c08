//! Scripts of hosts and routes, run for a request (`wick_script`), and what becomes of it then.

mod machine;

use std::rc::Rc;

use ngx::ffi::{NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_int_t};
use wick_native::request::Request;
use wick_native::response::send_text;
use wick_routes::Route;
use wick_script::End;

use self::machine::Running;
use super::patterns::{self, Search};
use super::rewrite;
use crate::headers;
use crate::script::effects::Effects;
use crate::script::{self, NamedPattern, ReadyScript};

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

/// How a request goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// All steps were run: next comes what else the route has of the rewrite module. `is_moved`: its path is another one.
    On { is_moved: bool },
    /// The same, with nothing of the route for that path: where it leads.
    Moved,
    /// The route is the right one, and nothing more of the rewrite module counts.
    Stopped,
    /// Its new path says which route is.
    Again,
}

impl Course {
    /// Another route serves the request.
    pub fn leads_away(self) -> bool {
        matches!(self, Course::Again | Course::Moved)
    }
}

/// What a route's script has made of a request that it has not answered.
pub struct Ran<'s> {
    pub course: Course,
    /// Patterns were tried since the route's own.
    pub has_matched: bool,
    /// What is in force from now on.
    pub level: Option<&'s Rc<Effects>>,
}

/// Of a host, before a route is looked for.
///
/// # Errors: what the request is answered, for nginx. What is in force is so for the answer only: routes have theirs.
#[inline(never)] // Most hosts have none: theirs is the straight way.
pub fn run_of_host<'r>(
    r: Request<'r>,
    script: &ReadyScript,
    search: &mut Search<'r>,
) -> Result<(), ngx_int_t> {
    let path = r.uri();
    let mut running = Running::new(r, script, search);
    let end = running.run();
    if let Some(level) = script.effects.get(running.level).filter(|_| !goes_on(&end)) {
        headers::begin_level(r, level, true).ok_or(INTERNAL_ERROR)?;
    }
    course(r, end?)?;
    if !std::ptr::eq(path, r.uri()) {
        search.set_path(r.uri());
    }
    Ok(())
}

/// Of a route that was just found.
///
/// # Errors: what the request is answered, for nginx. What is in force is so for the answer, too.
#[inline(never)]
pub fn run_of_route<'s, 'r>(
    r: Request<'r>,
    route: &Route,
    script: &'s ReadyScript,
    search: &mut Search<'r>,
) -> Result<Ran<'s>, ngx_int_t> {
    if route.path_match.is_pattern() {
        keep_groups(r, route, script, search).ok_or(INTERNAL_ERROR)?;
    }
    let mut running = Running::new(r, script, search);
    running.is_logged = route.logs_rewrite;
    let end = running.run();
    let (has_matched, level) = (running.has_matched, script.effects.get(running.level));
    if let Some(level) = level.filter(|_| !goes_on(&end)) {
        headers::begin_level(r, level, true).ok_or(INTERNAL_ERROR)?;
    }
    if let (true, Ok(End::Redirect { location, .. })) = (route.logs_rewrite, &end) {
        rewrite::note_redirect(r, location);
    }
    Ok(Ran { course: course(r, end?)?, has_matched, level })
}

/// What a script would do with a request, of which nothing comes.
pub struct Rehearsed<'r> {
    /// Places of the `if`s that hold.
    pub held: Vec<usize>,
    pub end: Result<End<'r>, ngx_int_t>,
    /// Path and arguments as the script leaves them.
    pub path: &'r [u8],
    pub args: &'r [u8],
    /// Patterns were tried since the route's own.
    pub has_matched: bool,
}

/// `route`: whose script it is; `None`: the host's. `None`: out of memory.
#[cold]
pub fn rehearse<'r>(
    r: Request<'r>,
    route: Option<&Route>,
    script: &ReadyScript,
    search: &mut Search<'r>,
) -> Option<Rehearsed<'r>> {
    if let Some(route) = route.filter(|route| route.path_match.is_pattern()) {
        keep_groups(r, route, script, search)?;
    }
    let (path, args) = (r.uri(), r.args());
    let mut running = Running::new(r, script, search);
    running.held = Some(Vec::new());
    let end = running.run();
    let (held, has_matched) = (running.held.take().unwrap_or_default(), running.has_matched);
    let rehearsed = Rehearsed { held, end, path: r.uri(), args: r.args(), has_matched };
    let is_same = std::ptr::eq(path, r.uri()) && std::ptr::eq(args, r.args());
    if !is_same {
        // SAFETY: both are the request's own.
        unsafe {
            r.set_uri(path);
            r.set_args(args);
        }
    }
    Some(rehearsed)
}

/// False: the script has answered.
fn goes_on(end: &Result<End, ngx_int_t>) -> bool {
    matches!(end, Ok(End::Done { .. } | End::Stopped | End::Again))
}

/// What the route's pattern has matched, for its script.
fn keep_groups<'r>(
    r: Request<'r>,
    route: &Route,
    script: &ReadyScript,
    search: &Search<'r>,
) -> Option<()> {
    let names = script.path_names.get_or_init(|| {
        patterns::compile(route).map(|it| NamedPattern::new(it).names).unwrap_or_default()
    });
    script::keep_groups(r, script::of(r)?, &search.worker().matching, names, r.uri())
}

/// Source: nginx, `ngx_http_script_return_code`: an error without a text is left to error pages.
fn course(r: Request<'_>, end: End<'_>) -> Result<Course, ngx_int_t> {
    match end {
        End::Done { is_moved } => Ok(Course::On { is_moved }),
        End::Stopped => Ok(Course::Stopped),
        End::Again => Ok(Course::Again),
        End::Return { code, text: None } if code >= 400 => Err(code as ngx_int_t),
        End::Return { code, text } => Err(send_text(r, code, text.unwrap_or_default())),
        End::Redirect { code, location } => Err(send_text(r, code, location)),
    }
}
