//! The directives of custom policies in `wasm { }`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_size, parse_time, refuse};
use wick_native::headers::is_token;

use super::block::state;
use super::lossy;
use crate::policy::counters::PolicyCounters;

/// `policy_directory DIRECTORY`
pub fn directory(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
    if conf.policies.counters.is_some() {
        return refuse(c"is duplicate");
    }
    let Some(path) = cf.full_path(words[1]) else { return CONF_ERROR };
    let Some(counters) = PolicyCounters::declare(cf) else { return CONF_ERROR };
    conf.policies.directory = OsString::from_vec(path).into();
    conf.policies.counters = Some(counters);
    CONF_OK
}

/// `policy_memory_limit SIZE`
pub fn memory_limit(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
    match parse_size(words[1]) {
        Some(bytes) if bytes >= 65536 => {
            conf.policies.memory_bytes = bytes;
            CONF_OK
        }
        Some(_) => cf.error(format_args!("policy_memory_limit is less than one page of 64k")),
        None => cf.error(format_args!("invalid size \"{}\"", lossy(words[1]))),
    }
}

/// `policy_deadline TIME`
pub fn deadline(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
    match parse_time(words[1]) {
        Some(ms @ 1..=1000) => {
            conf.policies.deadline_ms = ms;
            CONF_OK
        }
        _ => cf.error(format_args!("invalid time \"{}\": must be 1ms to 1s", lossy(words[1]))),
    }
}

/// `policy_readable_headers NAME …`
pub fn readable_headers(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
    for name in &words[1..] {
        if !is_token(name) {
            return cf.error(format_args!("invalid name of a header \"{}\"", lossy(name)));
        }
        conf.policies.readable_headers.push((*name).into());
    }
    CONF_OK
}
