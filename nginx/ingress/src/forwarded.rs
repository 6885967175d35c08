//! A request's head, before anything has looked at it: for which host it is, which headers are not its sender's to send,
//! and what proxies in front of nginx say about it: a header made of that before the client's address is looked for, and
//! the host that the client asked for.
//!
//! A module of its own, because its handler comes when the head was read, long before any route is found.

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_CONF_TAKE2, NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_MAIN_CONF,
    ngx_http_phases_NGX_HTTP_POST_READ_PHASE, ngx_http_request_t, ngx_http_variable_value_t,
    ngx_int_t,
};
use wick_native::code::DECLINED;
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::headers::{Side, get, is_framing, is_token, remove, replace};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::phase::add_handler;
use wick_native::request::Request;
use wick_native::variable;

use crate::client_headers::{ClientHeaders, Network, Trust};
use crate::{client_pause, grpc_refusal, host, switching};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_set_request_header": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2, main_conf => set;
        "ingress_trusted_proxies": NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE, main_conf => trust;
        "ingress_copy_request_header": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2, main_conf => copy;
        "ingress_own_request_headers": NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE, main_conf => own;
    }
    main_conf: MainConf,
    preconfiguration: declare,
    postconfiguration: install,
}

#[derive(Default)]
struct MainConf {
    clients: ClientHeaders,
    /// The headers that requests get, in the order of their directives.
    settings: Vec<Setting>,
}

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

struct Setting {
    name: Box<[u8]>,
    value: Complex,
}

fn set(cf: Conf, conf: &mut MainConf) -> Answer {
    let words: Vec<&[u8]> = cf.words().collect();
    let (name, text) = (words[1], words[2]);
    if !is_token(name) || is_framing(name) {
        let name = name.escape_ascii();
        return cf.error(format_args!(
            "invalid header name \"{name}\" in \"ingress_set_request_header\""
        ));
    }
    let Some(value) = Complex::compile(cf, text) else { return CONF_ERROR };
    conf.settings.push(Setting { name: name.into(), value });
    CONF_OK
}

/// `ingress_trusted_proxies all | none | NETWORK…`; with `none`, nobody is believed where variables would believe somebody.
fn trust(cf: Conf, conf: &mut MainConf) -> Answer {
    let words: Vec<&[u8]> = cf.words().skip(1).collect();
    if words == [b"all"] {
        conf.clients.trust = Trust::Everybody;
        return CONF_OK;
    }
    let mut networks = Vec::new();
    for word in words.into_iter().filter(|word| *word != b"none") {
        let Some(network) = Network::parse(word) else {
            let word = word.escape_ascii();
            return cf
                .error(format_args!("invalid network \"{word}\" in \"ingress_trusted_proxies\""));
        };
        networks.push(network);
    }
    conf.clients.trust = Trust::Networks(networks);
    CONF_OK
}

/// `ingress_copy_request_header FROM TO`
fn copy(cf: Conf, conf: &mut MainConf) -> Answer {
    let mut names = cf.words().skip(1).map(|name| lower_name(cf, name));
    let (Some(Some(from)), Some(Some(to))) = (names.next(), names.next()) else {
        return CONF_ERROR;
    };
    conf.clients.copied.push((from, to));
    CONF_OK
}

/// `ingress_own_request_headers NAME…`
fn own(cf: Conf, conf: &mut MainConf) -> Answer {
    for name in cf.words().skip(1) {
        let Some(name) = lower_name(cf, name) else { return CONF_ERROR };
        conf.clients.own.push(name);
    }
    CONF_OK
}

/// `None`: it is no name, and the log says so.
fn lower_name(cf: Conf, name: &[u8]) -> Option<Box<[u8]>> {
    if is_token(name) {
        return Some(name.to_ascii_lowercase().into());
    }
    cf.error(format_args!("invalid header name \"{}\"", name.escape_ascii()));
    None
}

/// Declares `$ingress_forwarded_host` and `$ingress_asked_tls_port`.
fn declare(conf: Conf) -> Option<()> {
    variable::declare(conf, b"ingress_asked_tls_port", 0, |variable| {
        variable.get_handler = Some(asked_tls_port);
    })?;
    variable::declare(conf, b"ingress_forwarded_host", 0, |variable| {
        variable.get_handler = Some(forwarded_host);
    })
}

/// Behind the handlers of all other modules in nginx's list, which makes ours the first that is called.
fn install(conf: Conf) -> Option<()> {
    switching::install();
    grpc_refusal::install();
    client_pause::install();
    add_handler(conf, ngx_http_phases_NGX_HTTP_POST_READ_PHASE, post_read)
}

unsafe extern "C" fn post_read(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(INTERNAL_ERROR, || {
        // SAFETY: handlers get live requests; the type is what create_conf returned.
        let (r, conf) = unsafe {
            let r = Request::from_raw(r);
            (r, &*r.main_conf::<MainConf>(MODULE.get()))
        };
        if let Err(answer) = host::settle(r) {
            return answer;
        }
        if conf.clients.clean(r).is_none() {
            return INTERNAL_ERROR;
        }
        set_all(r, &conf.settings);
        DECLINED
    })
}

/// Whether the configuration has proxies in front of nginx that are believed about their clients.
pub fn believes_anybody(r: Request) -> bool {
    // SAFETY: the type is what create_conf returned.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).clients.trust.is_anybodys() }
}

/// A value that cannot be one, or that is empty, leaves the request without: a client must not be able to say in our place
/// what the header says.
fn set_all(r: Request, settings: &[Setting]) {
    for Setting { name, value } in settings {
        let value = value.evaluate(r).unwrap_or_default();
        if value.is_empty() || replace(r, Side::Request, name, value).is_err() {
            remove(r, Side::Request, name);
        }
    }
}

/// The first host of `X-Forwarded-Host`, to which each proxy may have added one.
unsafe extern "C" fn forwarded_host(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { variable::answer(r, value, |r| Ok(first_forwarded_host(r))) }
}

fn first_forwarded_host(r: Request<'_>) -> Option<&[u8]> {
    let hosts = get(r, Side::Request, b"x-forwarded-host")?;
    let first = hosts.split(|byte| *byte == b',').next()?.trim_ascii();
    (!first.is_empty()).then_some(first)
}

/// The port that the client of HTTPS knows the host by: what stands behind it, or 443.
unsafe extern "C" fn asked_tls_port(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe {
        variable::answer(r, value, |r| Ok(Some(port_behind(r.host_header()).unwrap_or(b"443"))))
    }
}

fn port_behind(host: Option<&[u8]>) -> Option<&[u8]> {
    let host = host?;
    let port = &host[host.iter().rposition(|byte| *byte == b':')? + 1..];
    let is_port = (1..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit);
    is_port.then_some(port)
}
