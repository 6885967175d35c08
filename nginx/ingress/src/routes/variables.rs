//! The variables of a route. They are written straight into the request's values, where the access log, error pages,
//! subrequests and the balancer see them, and not computed by a handler from a context that an internal redirect clears.

pub mod defaults;
pub mod redirect;
pub mod route;

use ngx::ffi::{NGX_HTTP_VAR_CHANGEABLE, ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t};
use wick_native::bits;
use wick_native::code::OK;
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable::{self, at, fill, index, is_set};
use wick_routes::{Route, Value, WeightedBackend};

const ALTERNATIVE: &str = "proxy_alternative_upstream_name";

fn name(value: Value) -> &'static str {
    match value {
        Value::Backend => "proxy_upstream_name",
        Value::Namespace => "namespace",
        Value::IngressName => "ingress_name",
        Value::ServiceName => "service_name",
        Value::ServicePort => "service_port",
        Value::LocationPath => "location_path",
        Value::Host => "ingress_host",
    }
}

/// Where the values go: indexes of nginx's array.
#[derive(Clone, Copy, Default)]
pub struct Variables {
    /// In the order of [`Value::ALL`].
    values: [usize; Value::COUNT],
    alternative: usize,
}

impl Variables {
    /// Declares all variables; `None` when nginx refuses and has said why. They may be changed by `set`, as in
    /// ingress-nginx, where users' snippets do so.
    pub fn declare(conf: Conf) -> Option<Variables> {
        let mut values = [0; Value::COUNT];
        for (place, value) in values.iter_mut().zip(Value::ALL) {
            *place = declare(conf, name(value), not_found)?;
        }
        Some(Variables { values, alternative: declare(conf, ALTERNATIVE, empty)? })
    }

    /// The request had a route before.
    #[inline]
    pub fn are_written(&self, r: Request) -> bool {
        is_set(r, self.values[0])
    }

    /// Gives the request the values of `route`, copied into its memory: the record may be replaced while it runs.
    /// `None`: out of memory.
    #[inline]
    pub fn write(&self, r: Request, route: &Route) -> Option<()> {
        let mut text: &[u8] = r.pool().copy(route.values())?;
        for (index, len) in self.values.iter().zip(route.value_lengths()) {
            let (value, rest) = text.split_at(len as usize);
            set(r, *index, value);
            text = rest;
        }
        set(r, self.alternative, b"");
        Some(())
    }
}

impl Variables {
    /// Whether the request has had no route before, or one of the same namespace.
    pub fn may_go_to(&self, r: Request, route: &Route) -> bool {
        let index = self.values[Value::Namespace as usize];
        !is_set(r, index) || at(r, index) == Some(route.value(Value::Namespace))
    }

    /// Gives the request the values of the one backend of several that serves it, behind those of its route. `None`: out of memory.
    pub fn write_backend(&self, r: Request, backend: &WeightedBackend) -> Option<()> {
        for (value, text) in [
            (Value::Backend, &backend.backend),
            (Value::ServiceName, &backend.service_name),
            (Value::ServicePort, &backend.service_port),
        ] {
            set(r, self.values[value as usize], r.pool().copy(text)?);
        }
        Some(())
    }
}

/// Gives the variable at `index` a value that lives as long as the request.
pub fn set(r: Request, index: usize, value: &[u8]) {
    // SAFETY: the array has a place for each index; the value lives as long as the request.
    fill(unsafe { &mut *(*r.as_ptr()).variables.add(index) }, value);
}

type Get = unsafe extern "C" fn(
    *mut ngx_http_request_t,
    *mut ngx_http_variable_value_t,
    usize,
) -> ngx_int_t;

/// Declares one variable, which `set` may change, and gives it a place in the array of every request.
fn declare(conf: Conf, name: &str, get: Get) -> Option<usize> {
    add(conf, name, get)?;
    index(conf, name.as_bytes())
}

/// Declares one variable, which `set` may change.
pub fn add(conf: Conf, name: &str, get: Get) -> Option<()> {
    variable::declare(conf, name.as_bytes(), NGX_HTTP_VAR_CHANGEABLE, |variable| {
        variable.get_handler = Some(get);
    })
}

/// Before a route was found there is no value; the log prints `-`. [`Variables::write`] replaces it.
unsafe extern "C" fn not_found(
    _: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes the place for the value.
    unsafe { bits::value::NOT_FOUND.set(value, 1) };
    OK
}

/// Empty rather than absent: `$proxy_alternative_upstream_name` where no other backend took the request's place, as in
/// ingress-nginx's log.
pub unsafe extern "C" fn empty(
    _: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes the place for the value.
    fill(unsafe { &mut *value }, b"");
    OK
}
