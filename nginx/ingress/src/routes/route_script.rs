//! The script of the route that a request follows, and what it leaves of the request.

use ngx::ffi::{NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_int_t};
use wick_routes::Route;

use super::conf::MainConf;
use super::explain;
use super::patterns::Search;
use super::scripts::{self, Course, Ran};
use super::templates::{Filling, Templates};
use crate::headers;
use crate::script::ReadyScript;

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

/// A script and its route.
pub struct RouteScript<'h> {
    pub route: &'h Route,
    pub script: &'h ReadyScript,
    pub templates: Option<&'h Templates>,
    pub main: &'h MainConf,
}

/// What a route's script has left of a request.
pub struct Scripted<'a, 'r> {
    /// With the variables that it has set.
    pub filling: Filling<'a, 'r>,
    /// What else the route has of the rewrite module counts.
    pub is_own: bool,
    /// Another route is looked for.
    pub leads_away: bool,
}

impl RouteScript<'_> {
    /// `is_entered`: else a slash is added to the path, and the script only says what is in force for that answer.
    ///
    /// # Errors: the answer for nginx.
    #[inline(always)] // Called once.
    pub fn run<'a, 'r>(
        &self,
        is_entered: bool,
        filling: Filling<'a, 'r>,
        search: &mut Search<'r>,
    ) -> Result<Scripted<'a, 'r>, ngx_int_t> {
        let RouteScript { route, script, templates, main } = *self;
        let r = filling.r;
        let has_steps = !script.script.is_empty();
        // Without steps there is nothing to run but what the path has matched, which settings may name.
        let runs = has_steps || route.path_match.is_pattern();
        let (scripted, level) = if is_entered && runs {
            let ran = scripts::run_of_route(r, route, script, search)?;
            (self.behind(&ran, filling), ran.level)
        } else {
            (Scripted::untouched(filling), script.effects.first())
        };
        if scripted.leads_away {
            level.map_or(Some(()), |it| headers::leave_level(r, it)).ok_or(INTERNAL_ERROR)?;
            return Ok(scripted);
        }
        if let Some(level) = level {
            headers::begin_level(r, level, !is_entered).ok_or(INTERNAL_ERROR)?;
        }
        let may_differ = || has_steps || level.is_some_and(|it| it.input.is_some());
        if let Some(templates) = templates.filter(|_| may_differ()) {
            let written = main.route_variables.write(route, templates, &scripted.filling);
            written.ok_or(INTERNAL_ERROR)?;
        }
        Ok(scripted)
    }

    /// Templates find the variables of scripts; a path that has changed may still be the route's to rewrite, else another route is looked for.
    #[inline(never)] // Most routes have no script: theirs is the straight way.
    fn behind<'a, 'r>(&self, ran: &Ran<'_>, filling: Filling<'a, 'r>) -> Scripted<'a, 'r> {
        let filling = filling.behind_script(ran.has_matched);
        let Course::On { is_moved } = ran.course else { return Scripted::by(ran.course, filling) };
        let is_matched = (is_moved || ran.has_matched) && self.route.rewrite.is_some();
        let templates = self.templates.filter(|_| is_matched);
        let again = templates.and_then(|templates| filling.match_again(self.route, templates));
        let course = if is_moved && again.is_none() { Course::Moved } else { ran.course };
        Scripted::by(course, again.unwrap_or(filling))
    }

    /// Says what it would do. What a pattern of it has matched does not count any more. `None`: out of memory.
    #[cold]
    pub fn explain<'a, 'r>(
        &self,
        filling: Filling<'a, 'r>,
        search: &mut Search<'r>,
    ) -> Option<Scripted<'a, 'r>> {
        let script = scripts::rehearse(filling.r, Some(self.route), self.script, search)?;
        explain::tell_script(filling.r, b"X-Wick-Steps", &script)?;
        let templates = self.templates.filter(|_| script.has_matched);
        let again = templates.and_then(|templates| filling.match_again(self.route, templates));
        Some(Scripted::untouched(again.unwrap_or(filling)))
    }
}

impl<'a, 'r> Scripted<'a, 'r> {
    pub fn untouched(filling: Filling<'a, 'r>) -> Scripted<'a, 'r> {
        Scripted { filling, is_own: true, leads_away: false }
    }

    fn by(course: Course, filling: Filling<'a, 'r>) -> Scripted<'a, 'r> {
        let is_own = !matches!(course, Course::Stopped | Course::Again);
        Scripted { filling, is_own, leads_away: course.leads_away() }
    }
}
