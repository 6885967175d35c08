//! `$route_NAME`: what a route says about itself to its location, filled in when the route is found.
//!
//! Like the other variables of a route they are written straight into the request's values. Those that the
//! configuration does not use cost nothing.

use ngx::ffi::{
    NGX_HTTP_VAR_CHANGEABLE, NGX_HTTP_VAR_PREFIX, ngx_http_core_main_conf_t, ngx_http_core_module,
    ngx_http_variable_t,
};
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::text::bytes;
use wick_native::variable::{self, forget};
use wick_routes::Route;

use super::{empty, set};
use crate::literals::PREFIX;
use crate::routes::templates::{Assignment, Filling, Prepared, Purpose, Templates};

/// The balancer asks for it: whose sessions may begin at the route. No configuration need use it.
const ASKED_FOR: &[u8] = b"route_session";

/// Those that the configuration uses: the names behind the prefix, and nginx's indexes.
#[derive(Default)]
pub struct RouteVariables(Box<[(Box<[u8]>, usize)]>);

impl RouteVariables {
    /// Makes every name with the prefix a variable; `None` when nginx refuses and has said why. They may be changed by
    /// `set`, as the others.
    pub fn declare(conf: Conf) -> Option<()> {
        let flags = NGX_HTTP_VAR_PREFIX | NGX_HTTP_VAR_CHANGEABLE;
        variable::declare(conf, PREFIX, flags, |variable| variable.get_handler = Some(empty))?;
        variable::index(conf, ASKED_FOR).map(drop)
    }

    /// Looks for those that are used, once the configuration was read.
    pub fn used(conf: Conf) -> RouteVariables {
        // SAFETY: the parser is inside `http`; names live as long as the configuration.
        let names: Vec<&[u8]> = unsafe {
            let core = conf.http_main::<ngx_http_core_main_conf_t>(ngx_http_core_module.ctx_index);
            let all: &[ngx_http_variable_t] = (*core).variables.as_slice();
            all.iter().map(|variable| bytes(variable.name)).collect()
        };
        let named =
            |(index, name): (usize, &&[u8])| Some((name.strip_prefix(PREFIX)?.into(), index));
        RouteVariables(names.iter().enumerate().filter_map(named).collect())
    }

    /// Forgets all: those of a route that the request had before an internal redirect must not stay.
    #[cold]
    pub fn clear(&self, r: Request) {
        self.0.iter().for_each(|(_, index)| forget(r, *index));
    }

    /// Gives the request what `route` says; what comes out empty is as if it said nothing. `None`: as for
    /// [`Filling::fill`].
    pub fn write(
        &self,
        route: &Route,
        templates: &Templates,
        filling: &Filling<'_, '_>,
    ) -> Option<()> {
        let assignments = templates.variables.get_or_init(|| self.assignments(route));
        for Assignment { index, nth, prepared } in assignments {
            let template = &route.variables[*nth].value;
            match filling.fill(prepared, template, Purpose::Header)? {
                b"" => forget(filling.r, *index),
                value => set(filling.r, *index, value),
            }
        }
        Some(())
    }

    fn assignments(&self, route: &Route) -> Box<[Assignment]> {
        let index = |wanted: &[u8]| self.0.iter().find(|(name, _)| **name == *wanted);
        let assignment = |(nth, variable): (usize, &wick_routes::Variable)| {
            let (_, index) = index(&variable.name)?;
            Some(Assignment { index: *index, nth, prepared: Prepared::default() })
        };
        route.variables.iter().enumerate().filter_map(assignment).collect()
    }
}
