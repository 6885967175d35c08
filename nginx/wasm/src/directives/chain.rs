//! `proxy_wasm`: the filters that a location's requests pass, in order.

use std::ptr::NonNull;

use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};

use super::lossy;
use crate::conf::chain::{Chain, LocConf};
use crate::conf::{MainConf, of_cycle};

/// What stands further out holds where nothing stands further in.
pub fn merge(outer: &LocConf, inner: &mut LocConf) {
    if inner.chain.is_null() {
        inner.chain = outer.chain;
    }
}

/// `proxy_wasm MODULE [CONFIG]`
pub fn proxy_wasm(cf: Conf, conf: &mut LocConf) -> Answer {
    // SAFETY: the parser is running, and nobody else uses the configuration.
    unsafe { push(cf, of_cycle(cf.cycle()), conf) }
}

/// # Safety
/// Nobody else uses the configuration meanwhile.
unsafe fn push(cf: Conf, at: *mut MainConf, conf: &mut LocConf) -> Answer {
    // SAFETY: the caller's promise.
    let main = unsafe { &mut *at };
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
        let Some(main) = NonNull::new(at) else { return CONF_ERROR };
        let chain = Chain { main, roots: Vec::new() };
        let Some(chain) = cf.pool().keep(chain) else { return CONF_ERROR };
        conf.chain = chain.as_ptr();
    }
    // SAFETY: made above or by an earlier directive of this level; merging comes later.
    unsafe { (*conf.chain).roots.push(root) };
    CONF_OK
}
