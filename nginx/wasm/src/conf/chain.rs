//! `proxy_wasm`: the filters that a location's requests pass, in order.

use std::ffi::{c_char, c_void};
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{ngx_command_t, ngx_conf_t};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::request::Request;

use super::block::lossy;
use super::{MainConf, of_cycle};
use crate::ngx_http_wasm_module;

/// The filters of one configuration level; lives as long as the cycle.
pub struct Chain {
    pub main: NonNull<MainConf>,
    /// Indices of `MainConf::roots`; their order is the order of calls in every step.
    pub roots: Vec<usize>,
}

/// A level's own chain, or the one it inherits; null: no filter.
#[repr(C)]
pub struct LocConf {
    chain: *mut Chain,
}

/// The chain of the location that `r` is in now.
#[inline]
pub fn of_request(r: Request) -> Option<&'static Chain> {
    // SAFETY: `create` made the configuration, and the cycle outlives its requests.
    unsafe { (*r.loc_conf::<LocConf>(ngx_http_wasm_module.ctx_index)).chain.as_ref() }
}

pub unsafe extern "C" fn create(cf: *mut ngx_conf_t) -> *mut c_void {
    // SAFETY: called by nginx's parser.
    guard(null_mut(), || unsafe {
        let conf = Conf::from_raw(cf).pool().put(LocConf { chain: null_mut() });
        conf.map_or(null_mut(), |conf| conf.as_ptr().cast())
    })
}

pub unsafe extern "C" fn merge(
    _: *mut ngx_conf_t,
    outer: *mut c_void,
    inner: *mut c_void,
) -> *mut c_char {
    // SAFETY: both came from `create`.
    unsafe {
        let (outer, inner) = (outer.cast::<LocConf>(), inner.cast::<LocConf>());
        if (*inner).chain.is_null() {
            (*inner).chain = (*outer).chain;
        }
    }
    CONF_OK
}

/// `proxy_wasm MODULE [CONFIG]`
pub unsafe extern "C" fn proxy_wasm(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    conf: *mut c_void,
) -> *mut c_char {
    // SAFETY: called by nginx's parser; `conf` came from `create`.
    guard(CONF_ERROR, || unsafe {
        let cf = Conf::from_raw(cf);
        push(cf, of_cycle(cf.cycle()), &mut *conf.cast::<LocConf>())
    })
}

fn push(cf: Conf, main: &mut MainConf, conf: &mut LocConf) -> Answer {
    if !main.declared {
        return cf.error(format_args!(
            "[wasm] \"proxy_wasm\" directive is specified but config has no \"wasm\" section"
        ));
    }
    let words: Vec<&[u8]> = cf.words().collect();
    let name = lossy(words[1]);
    let Some(module) = main.modules.iter().position(|module| module.name == name) else {
        return cf.error(format_args!("[wasm] no \"{name}\" module defined"));
    };
    let mut config: &[u8] = b"";
    for word in &words[2..] {
        if word.starts_with(b"upstream=") || word.starts_with(b"acl=") {
            return cf.error(format_args!("[wasm] \"{}\" is not supported", lossy(word)));
        }
        config = word.strip_prefix(b"config=").unwrap_or(word);
    }
    let root = main.root(module, config);
    if conf.chain.is_null() {
        let chain = Chain { main: NonNull::from(main), roots: Vec::new() };
        let Some(chain) = cf.pool().keep(chain) else { return CONF_ERROR };
        conf.chain = chain.as_ptr();
    }
    // SAFETY: made above or by an earlier directive of this level; merging comes later.
    unsafe { (*conf.chain).roots.push(root) };
    CONF_OK
}
