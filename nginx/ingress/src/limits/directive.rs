//! The directive `ingress_limits clients=N processes=N request_status=CODE connection_status=CODE`.

use ngx::ffi::ngx_int_t;
use wick_limits::{Capacity, Table};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::module::ModuleIndex;
use wick_native::word_zone::WordZone;

use super::zone::LimitZone;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct MainConf {
    /// `None`: without the directive. Routes with limits are not served then.
    pub zone: Option<LimitZone>,
    /// Index of the variable in whose place requests carry what became of them.
    pub noted_at: usize,
    pub request_status: ngx_int_t,
    pub connection_status: ngx_int_t,
}

/// So that no number of words is too large to be counted.
const MAX_CLIENTS: u32 = 1 << 24;
const MAX_PROCESSES: u32 = 1024;

pub fn ingress_limits(conf: Conf, main: &mut MainConf) -> Answer {
    if main.zone.is_some() {
        return refuse(c"is duplicate");
    }
    let number = |name: &str, max: u32| {
        let mut words = conf.words().skip(1).filter_map(|word| std::str::from_utf8(word).ok());
        let text = words.find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?;
        text.parse().ok().filter(|number| (1..=max).contains(number))
    };
    let numbers = (
        number("clients", MAX_CLIENTS),
        number("processes", MAX_PROCESSES),
        number("request_status", 599),
        number("connection_status", 599),
    );
    let (Some(clients), Some(processes), Some(request), Some(connection)) = numbers else {
        return refuse(c"takes clients, processes, request_status and connection_status");
    };
    let capacity = Capacity { clients, processes };
    // nginx keeps what has the same name and size.
    let name = format!("ingress_limits:{clients}:{processes}");
    let zone = WordZone::declare(conf, name.as_bytes(), Table::words(capacity));
    let Some(zone) = zone else { return CONF_ERROR };
    main.zone = Some(LimitZone::new(zone, capacity));
    (main.request_status, main.connection_status) = (request as ngx_int_t, connection as ngx_int_t);
    CONF_OK
}
