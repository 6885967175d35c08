//! Who counts as one client where passwords and nonces have shares: an address of IPv4, a network of IPv6.
//!
//! `ingress_clients ipv6_prefix=N` says of how many bits; a module of nginx's by itself.

use ngx::ffi::{NGX_CONF_TAKE1, NGX_HTTP_MAIN_CONF};
use wick_limits::network;
use wick_native::conf::{Answer, CONF_OK, Conf, refuse};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_clients": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, main_conf => ingress_clients;
    }
    main_conf: MainConf,
}

/// What providers give a household, of which it can take any address.
const USUAL_BITS: u8 = 64;

#[derive(Default)]
struct MainConf(Option<u8>);

fn ingress_clients(conf: Conf, main: &mut MainConf) -> Answer {
    if main.0.is_some() {
        return refuse(c"is duplicate");
    }
    let word = conf.words().nth(1).and_then(|word| std::str::from_utf8(word).ok());
    let bits = word.and_then(|word| word.strip_prefix("ipv6_prefix=")?.parse().ok());
    main.0 = bits.filter(|bits| (1..=128).contains(bits));
    if main.0.is_none() { refuse(c"takes ipv6_prefix=BITS") } else { CONF_OK }
}

/// The number of a request's client.
pub fn number(r: Request) -> u128 {
    // SAFETY: the module's main configuration.
    let bits = unsafe { (*r.main_conf::<MainConf>(MODULE.get())).0 };
    network(r.client_address(), bits.unwrap_or(USUAL_BITS))
}
