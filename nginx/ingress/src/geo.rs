//! `ingress_geoip DIRECTORY EDITION…`: where clients are, by databases in MaxMind's format: EDITION.mmdb in DIRECTORY.
//!
//! The variables `$geoip2_*` are always there, so that formats and rules may name them; without the directive they have no values. The files are
//! mapped: all workers share their memory. Another file is in force in a worker with the first question a second after it was put in the place of
//! the one before; one that is damaged, or gone, leaves the one before in force. The address is the request's: the client's, where proxies in front of
//! nginx say it and are believed.

mod databases;

use std::net::IpAddr;

use ngx::ffi::{
    NGX_CONF_2MORE, NGX_HTTP_MAIN_CONF, ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_access::{Country, Found, Whereabouts};
use wick_geo::{Edition, VARIABLES, Value, places_of_asn, places_of_country};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::variable::{self, NoAnswer};

use self::databases::Databases;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_geoip": NGX_HTTP_MAIN_CONF | NGX_CONF_2MORE, main_conf => ingress_geoip;
    }
    main_conf: MainConf,
    preconfiguration: declare,
}

/// `None`: there is no directive.
#[derive(Default)]
struct MainConf(Option<Databases>);

fn ingress_geoip(conf: Conf, main: &mut MainConf) -> Answer {
    if main.0.is_some() {
        return refuse(c"is duplicate");
    }
    let mut words = conf.words().skip(1);
    let Some(directory) = words.next().and_then(|word| conf.full_path(word)) else {
        return CONF_ERROR;
    };
    let editions = words.map(|name| Edition::named(name).ok_or(name)).collect::<Result<_, _>>();
    match editions {
        Ok(editions) => main.0 = Some(Databases::new(&directory, editions)),
        Err(name) => {
            let name = name.escape_ascii();
            return conf.error(format_args!("there is no database \"{name}\" of GeoIP"));
        }
    }
    CONF_OK
}

/// `None`: out of memory, or somebody else has a variable of such a name.
fn declare(conf: Conf) -> Option<()> {
    for (at, variable) in VARIABLES.iter().enumerate() {
        variable::declare(conf, variable.name.as_bytes(), 0, |variable| {
            variable.get_handler = Some(get);
            variable.data = at;
        })?;
    }
    Some(())
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    at: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { variable::answer(r, value, |r| text(r, at)) }
}

fn text<'r>(r: Request<'r>, at: usize) -> Result<Option<&'r [u8]>, NoAnswer> {
    let Some(databases) = Databases::of(r) else { return Ok(None) };
    let places = VARIABLES[at].places;
    let copy = |value: Value| r.pool().copy(value.to_string().as_bytes());
    match r.client_address().map(|client| databases.ask(places, client, copy)) {
        Some(Found::Known(copy)) => copy.map(|copy| Some(&*copy)).ok_or(NoAnswer),
        _ => Ok(databases.default(places).map(str::as_bytes)),
    }
}

impl Databases {
    fn of(r: Request<'_>) -> Option<&Databases> {
        // SAFETY: the module's main configuration, which lives as long as the worker.
        unsafe { (*r.main_conf::<MainConf>(MODULE.get())).0.as_ref() }
    }
}

/// Where the client of a request is.
pub struct Client<'r>(pub Request<'r>);

impl Whereabouts for Client<'_> {
    fn country(&self) -> Found<Country> {
        let code = |value: Value| match value {
            Value::Text(code) => code.as_bytes().try_into().ok(),
            _ => None,
        };
        self.known(|databases, address| databases.ask(places_of_country(), address, code))
    }

    fn asn(&self) -> Found<u32> {
        let number = |value: Value| match value {
            Value::Number(number) => u32::try_from(number).ok(),
            _ => None,
        };
        self.known(|databases, address| databases.ask(places_of_asn(), address, number))
    }
}

impl Client<'_> {
    /// What makes no sense there, as a country of three letters, is in no list.
    fn known<T>(&self, ask: impl FnOnce(&Databases, IpAddr) -> Found<Option<T>>) -> Found<T> {
        let Some(databases) = Databases::of(self.0) else { return Found::NoDatabase };
        let Some(address) = self.0.client_address() else { return Found::Unknown };
        match ask(databases, address) {
            Found::Known(Some(known)) => Found::Known(known),
            Found::Known(None) | Found::Unknown => Found::Unknown,
            Found::NoDatabase => Found::NoDatabase,
        }
    }
}
