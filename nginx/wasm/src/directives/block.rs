//! The directives of `wasm { }`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::ptr::null_mut;

use ngx::ffi::{ngx_conf_parse, ngx_pagesize, ngx_uint_t};
use wick_kv::{Capacity, MAX_PROCESSES, MAX_SLOTS};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_size, parse_time, refuse};
use wick_native::zone::{DeclareError, SharedZone};

use super::lossy;
use crate::conf::{MainConf, ModuleConf, ZoneConf, of_cycle};
use crate::counters::Counters;
use crate::environment::zone_slots::MAX_ZONES_WITH_SLOTS;

/// The type of the module that owns the inner directives ("WASM"), and the place they may stand in.
pub const MODULE_TYPE: ngx_uint_t = 0x4d53_4157;
pub const PLACE: ngx_uint_t = 0x2000_0000;

/// `wasm { … }`
pub fn wasm(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, _) = unsafe { state(cf) };
    if conf.declared {
        return refuse(c"is duplicate");
    }
    conf.declared = true;
    let Some(counters) = Counters::declare(cf) else { return CONF_ERROR };
    conf.counters = Some(counters);
    let cf = cf.as_ptr();
    // SAFETY: the parser is running; its state is put back as it was.
    unsafe {
        let outside = *cf;
        (*cf).ctx = null_mut(); // the inner handlers find their configuration by the cycle
        (*cf).module_type = MODULE_TYPE;
        (*cf).cmd_type = PLACE;
        let answer = ngx_conf_parse(cf, null_mut());
        *cf = outside;
        answer
    }
}

/// `callback_deadline TIME`
pub fn callback_deadline(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
    match parse_time(words[1]) {
        Some(ms) => {
            conf.callback_deadline_ms = ms;
            CONF_OK
        }
        None => cf.error(format_args!("invalid time \"{}\"", lossy(words[1]))),
    }
}

/// `memory_limit SIZE`
pub fn memory_limit(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
    match parse_size(words[1]) {
        Some(bytes) if bytes >= 65536 => {
            conf.memory_limit_bytes = bytes;
            CONF_OK
        }
        Some(_) => cf.error(format_args!("memory_limit is less than one page of 64k")),
        None => cf.error(format_args!("invalid size \"{}\"", lossy(words[1]))),
    }
}

/// `compilation_cache DIRECTORY`
pub fn compilation_cache(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
    if conf.compilation_cache.is_some() {
        return refuse(c"is duplicate");
    }
    let Some(path) = cf.full_path(words[1]) else { return CONF_ERROR };
    conf.compilation_cache = Some(OsString::from_vec(path).into());
    CONF_OK
}

/// The configuration that is being read, and the words of the directive at hand.
///
/// # Safety
/// Nothing else uses the configuration for `'c`.
pub unsafe fn state<'c>(cf: Conf<'c>) -> (&'c mut MainConf, Vec<&'c [u8]>) {
    // SAFETY: the caller's promise; the parser is running.
    (unsafe { &mut *of_cycle(cf.cycle()) }, cf.words().collect())
}

/// `module NAME PATH [CONFIG]`
pub fn module(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
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

/// `shm_kv NAME SIZE [slots=N [processes=N]] [eviction=…]`
pub fn shm_kv(cf: Conf) -> Answer {
    // SAFETY: the parser is running this directive alone.
    let (conf, words) = unsafe { state(cf) };
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
        Ok(Some(_)) if conf.zones.len() >= MAX_ZONES_WITH_SLOTS => {
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

/// Workers of several reloads may be alive at a time.
const DEFAULT_PROCESSES: u32 = 256;

/// The slots that the options ask for; `Err` when one was refused, which was said.
fn zone_options(cf: Conf, words: &[&[u8]]) -> Result<Option<Capacity>, Answer> {
    let (mut slots, mut processes) = (None, DEFAULT_PROCESSES);
    for word in words {
        if let Some(number) = word.strip_prefix(b"slots=") {
            slots = Some(parse_number(cf, "slots", number, MAX_SLOTS)?);
        } else if let Some(number) = word.strip_prefix(b"processes=") {
            processes = parse_number(cf, "processes", number, MAX_PROCESSES)?;
        } else if let Some(policy) = word.strip_prefix(b"eviction=") {
            check_eviction(cf, policy)?;
        } else {
            return Err(cf.error(format_args!("[wasm] invalid option \"{}\"", lossy(word))));
        }
    }
    Ok(slots.map(|slots| Capacity { slots, processes }))
}

fn parse_number(cf: Conf, of: &str, text: &[u8], max: u32) -> Result<u32, Answer> {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.filter(|number| (1..=max).contains(number)).ok_or_else(|| {
        let text = lossy(text);
        cf.error(format_args!("[wasm] invalid number of {of} \"{text}\": must be 1 to {max}"))
    })
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
