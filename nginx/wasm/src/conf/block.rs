//! The directives of `wasm { }`.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use ngx::ffi::{ngx_command_t, ngx_conf_parse, ngx_conf_t, ngx_pagesize, ngx_uint_t};
use wick_kv::MAX_SLOTS;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_size, parse_time, refuse};
use wick_native::guard::guard;
use wick_native::zone::{DeclareError, SharedZone};

use super::{MainConf, ModuleConf, ZoneConf, of_cycle};
use crate::counters::Counters;
use crate::worker::MAX_ZONES_WITH_SLOTS;

/// The type of the module that owns the inner directives ("WASM"), and the place they may stand in.
pub const MODULE_TYPE: ngx_uint_t = 0x4d53_4157;
pub const PLACE: ngx_uint_t = 0x2000_0000;

/// `wasm { … }`
pub unsafe extern "C" fn wasm(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    _: *mut c_void,
) -> *mut c_char {
    // SAFETY: called by nginx's parser; `cf` is put back as it was.
    guard(CONF_ERROR, || unsafe {
        let conf = of_cycle((*cf).cycle);
        if conf.declared {
            return refuse(c"is duplicate");
        }
        conf.declared = true;
        let Some(counters) = Counters::declare(Conf::from_raw(cf)) else { return CONF_ERROR };
        conf.counters = Some(counters);
        let outside = *cf;
        (*cf).ctx = null_mut(); // the inner setters find their configuration by the cycle
        (*cf).module_type = MODULE_TYPE;
        (*cf).cmd_type = PLACE;
        let answer = ngx_conf_parse(cf, null_mut());
        *cf = outside;
        answer
    })
}

/// `module NAME PATH [CONFIG]`
pub unsafe extern "C" fn module(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    _: *mut c_void,
) -> *mut c_char {
    // SAFETY: called by nginx's parser.
    guard(CONF_ERROR, || unsafe { with_words(cf, set_module) })
}

/// `shm_kv NAME SIZE [slots=N] [eviction=…]`
pub unsafe extern "C" fn shm_kv(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    _: *mut c_void,
) -> *mut c_char {
    // SAFETY: called by nginx's parser.
    guard(CONF_ERROR, || unsafe { with_words(cf, set_zone) })
}

/// `callback_deadline TIME`
pub unsafe extern "C" fn callback_deadline(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    _: *mut c_void,
) -> *mut c_char {
    // SAFETY: called by nginx's parser.
    guard(CONF_ERROR, || unsafe {
        with_words(cf, |cf, conf, words| match parse_time(words[1]) {
            Some(ms) => {
                conf.callback_deadline_ms = ms;
                CONF_OK
            }
            None => cf.error(format_args!("invalid time \"{}\"", lossy(words[1]))),
        })
    })
}

/// `memory_limit SIZE`
pub unsafe extern "C" fn memory_limit(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    _: *mut c_void,
) -> *mut c_char {
    // SAFETY: called by nginx's parser.
    guard(CONF_ERROR, || unsafe {
        with_words(cf, |cf, conf, words| match parse_size(words[1]) {
            Some(bytes) if bytes >= 65536 => {
                conf.memory_limit_bytes = bytes;
                CONF_OK
            }
            Some(_) => cf.error(format_args!("memory_limit is less than one page of 64k")),
            None => cf.error(format_args!("invalid size \"{}\"", lossy(words[1]))),
        })
    })
}

/// # Safety
/// `cf` is what nginx handed to a directive's handler that is running.
unsafe fn with_words(
    cf: *mut ngx_conf_t,
    set: impl FnOnce(Conf, &mut MainConf, &[&[u8]]) -> Answer,
) -> Answer {
    // SAFETY: the caller's promise.
    unsafe {
        let cf = Conf::from_raw(cf);
        set(cf, of_cycle(cf.cycle()), &cf.words().collect::<Vec<_>>())
    }
}

fn set_module(cf: Conf, conf: &mut MainConf, words: &[&[u8]]) -> Answer {
    let name = lossy(words[1]);
    if name.is_empty() || name.contains([' ', '\t', ':']) {
        return cf.error(format_args!("[wasm] invalid module name \"{name}\""));
    }
    if conf.modules.iter().any(|module| module.name == name) {
        return cf.error(format_args!("[wasm] \"{name}\" module already defined"));
    }
    let Some(path) = cf.full_path(words[2]) else { return CONF_ERROR };
    let config = words.get(3).map_or(Vec::new(), |config| config.to_vec());
    conf.modules.push(ModuleConf { name, path: lossy(&path), config });
    CONF_OK
}

fn set_zone(cf: Conf, conf: &mut MainConf, words: &[&[u8]]) -> Answer {
    let name = words[1];
    let Some(size) = parse_size(words[2]) else {
        return cf.error(format_args!("[wasm] invalid shm size \"{}\"", lossy(words[2])));
    };
    // SAFETY: set once at nginx's start.
    let page = unsafe { ngx_pagesize };
    let min = SharedZone::min_bytes();
    if size < min {
        return cf.error(format_args!(
            "[wasm] shm size of {size} bytes is too small, minimum required is {min} bytes"
        ));
    }
    if size % page != 0 {
        return cf.error(format_args!(
            "[wasm] shm size of {size} bytes is not page-aligned, must be a multiple of {page}"
        ));
    }
    if conf.zones.iter().any(|zone| *zone.name == *name) {
        return cf.error(format_args!("[wasm] \"{}\" shm already defined", lossy(name)));
    }
    let slots = match zone_options(cf, &words[3..]) {
        Ok(0) => 0,
        Ok(_) if conf.zones.len() >= MAX_ZONES_WITH_SLOTS => {
            return cf.error(format_args!(
                "[wasm] only the first {MAX_ZONES_WITH_SLOTS} zones can have slots"
            ));
        }
        Ok(slots) => slots,
        Err(answer) => return answer,
    };
    match SharedZone::declare(cf, name, size, slots) {
        Ok(zone) => {
            conf.zones.push(ZoneConf { name: name.into(), zone });
            CONF_OK
        }
        Err(DeclareError::Refused) => CONF_ERROR,
        Err(DeclareError::Duplicate) => {
            cf.error(format_args!("[wasm] \"{}\" shm already defined", lossy(name)))
        }
    }
}

/// How many slots the options ask for; `Err` when one was refused, which was said.
fn zone_options(cf: Conf, words: &[&[u8]]) -> Result<u32, Answer> {
    let mut slots = 0;
    for word in words {
        if let Some(number) = word.strip_prefix(b"slots=") {
            slots = parse_slots(number).ok_or_else(|| {
                cf.error(format_args!(
                    "[wasm] invalid number of slots \"{}\": must be 1 to {MAX_SLOTS}",
                    lossy(number)
                ))
            })?;
        } else if let Some(policy) = word.strip_prefix(b"eviction=") {
            check_eviction(cf, policy)?;
        } else {
            return Err(cf.error(format_args!("[wasm] invalid option \"{}\"", lossy(word))));
        }
    }
    Ok(slots)
}

fn parse_slots(number: &[u8]) -> Option<u32> {
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    (1..=MAX_SLOTS).contains(&number).then_some(number)
}

fn check_eviction(cf: Conf, policy: &[u8]) -> Result<(), Answer> {
    match policy {
        b"none" => Ok(()),
        b"lru" | b"slru" => {
            cf.notice(format_args!(
                "[wasm] \"eviction\" has no effect here: a full zone refuses the write"
            ));
            Ok(())
        }
        _ => Err(cf.error(format_args!("[wasm] invalid eviction policy \"{}\"", lossy(policy)))),
    }
}

pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
