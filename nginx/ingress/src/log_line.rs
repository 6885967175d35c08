//! `ingress_log_line $NAME [escape=WAY] FORMAT`: a variable that is a whole line of the access log.
//!
//! FORMAT and WAY are those of nginx's `log_format`, and the line is the one that it would write. But nginx asks for each variable
//! twice, for its length and for its bytes, and reads these one by one each time: a line cost a sixth of a proxied request. Here it is
//! written in one go, and nginx only has to pass it on: `log_format line escape=none $NAME`.

mod attempts;
pub mod digits;
pub mod line;
mod numbers;
mod sample;

use ngx::ffi::{
    NGX_CONF_TAKE3, NGX_CONF_TAKE23, NGX_HTTP_MAIN_CONF, NGX_HTTP_VAR_NOCACHEABLE,
    ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::variable::{self, NoAnswer};

use self::attempts::Attempt;
use self::line::Line;
use self::numbers::Number;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_log_line": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE23 => ingress_log_line;
        "ingress_log_sample": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE3 => sample::ingress_log_sample;
    }
}

type LogLine = Line<Value>;

enum Value {
    Number(Number),
    /// What is known of the only attempt; of several, the variable with this index.
    Attempt(Attempt, usize),
    /// Its index.
    Variable(usize),
}

fn ingress_log_line(conf: Conf) -> Answer {
    let (name, line) = match Line::read(conf, |name| Value::called(conf, name)) {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    let Some(line) = conf.pool().keep(line) else { return CONF_ERROR };
    let declared = variable::declare(conf, name, NGX_HTTP_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(get);
        variable.data = line.as_ptr().addr();
        line.as_ptr().expose_provenance();
    });
    declared.map_or(CONF_ERROR, |()| CONF_OK)
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    line: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request, the place for the value, and what the directive left with the variable, which lives as
    // long as the configuration.
    unsafe {
        let line = &*std::ptr::with_exposed_provenance::<LogLine>(line);
        variable::answer(r, value, |r| {
            let written = line.write(r.pool(), |value, to| value.put(r, line, to));
            written.map(Some).ok_or(NoAnswer)
        })
    }
}

impl Value {
    /// `None`: nginx has no such variable, and the log says so.
    fn called(conf: Conf, name: &[u8]) -> Option<Value> {
        Some(match (Number::called(name), Attempt::called(name)) {
            (Some(number), _) => Value::Number(number),
            (_, Some(attempt)) => Value::Attempt(attempt, variable::index(conf, name)?),
            _ => Value::Variable(variable::index(conf, name)?),
        })
    }

    #[inline]
    fn put(&self, r: Request, line: &LogLine, to: &mut Vec<u8>) {
        match self {
            Value::Number(number) => number.write(r, to),
            Value::Attempt(attempt, index) => {
                if !attempt.write(r, to) {
                    line.escape.put(variable::fresh(r, *index), to);
                }
            }
            Value::Variable(index) => line.escape.put(variable::fresh(r, *index), to),
        }
    }
}
