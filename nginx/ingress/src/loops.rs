//! Requests that go in circles (RFC 8586): each one that is passed on says in `CDN-Loop` how often it was, and ends with 508 when that
//! is too often. So no endpoint, service or mirror that leads back here, by whatever way, makes more of a request than that.
//!
//! `ingress_loops max=N` says how often. A module of nginx's by itself, whose part in a request is a function that the handler of
//! routes calls.

use ngx::ffi::{NGX_CONF_TAKE1, NGX_HTTP_MAIN_CONF, NGX_LOG_ERR};
use wick_limits::passes_in;
use wick_native::conf::{Answer, CONF_OK, Conf, refuse};
use wick_native::headers::{hash, is_alike, push_request, see_all};
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::{http_module, log};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_loops": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, main_conf => ingress_loops;
    }
    main_conf: MainConf,
}

/// What a request says that was passed on once, twice …: as many as it may be. None without the directive.
#[derive(Default)]
struct MainConf(Box<[Box<[u8]>]>);

const HEADER: &[u8] = b"cdn-loop";
const HASH: usize = hash(HEADER);
const MAX: usize = 100;

fn ingress_loops(conf: Conf, main: &mut MainConf) -> Answer {
    if !main.0.is_empty() {
        return refuse(c"is duplicate");
    }
    let word = conf.words().nth(1).and_then(|word| std::str::from_utf8(word).ok());
    let max = word.and_then(|word| word.strip_prefix("max=")?.parse().ok());
    let Some(max) = max.filter(|max| (1..=MAX).contains(max)) else {
        return refuse(c"takes max=NUMBER");
    };
    main.0 = (1..=max).map(|n| format!("wick;n={n}").into_bytes().into()).collect();
    CONF_OK
}

/// Whether a header is the one that counts, in any spelling: nobody who says what is sent elsewhere may say it.
pub fn is_count(name: &[u8]) -> bool {
    is_alike(name, HEADER)
}

/// What becomes of a request that is to be passed on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    On,
    TooOften,
    OutOfMemory,
}

/// Counts that a request is passed on.
pub fn pass(r: Request) -> Passed {
    // SAFETY: the module's main configuration.
    let MainConf(said) = unsafe { &*r.main_conf::<MainConf>(MODULE.get()) };
    if said.is_empty() {
        return Passed::On;
    }
    let (mut passed, mut own) = (0, None);
    see_all(r, |header| {
        if header.lower() == HEADER {
            let value = header.value();
            passed = passed.max(passes_in(value));
            if said.iter().any(|text| **text == *value) {
                own = Some(header);
            }
        }
    });
    let Some(value) = said.get(passed) else { return too_often(r, passed) };
    // SAFETY: the configuration outlives its requests; a header that nginx knows nothing of, in small letters.
    unsafe {
        match own {
            Some(own) => own.set_value(value),
            None if push_request(r, HEADER, HASH, value).is_none() => return Passed::OutOfMemory,
            None => {}
        }
    }
    Passed::On
}

#[cold]
fn too_often(r: Request, passed: usize) -> Passed {
    let line = format_args!("request was passed on {passed} times already, it goes in circles");
    log::write(r.log(), NGX_LOG_ERR as usize, line);
    Passed::TooOften
}
