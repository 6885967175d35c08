//! `proxy_wasm`: the filters that requests or sessions pass, in order.

use std::ptr::NonNull;

use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};

use super::lossy;
use crate::conf::chain::Chain;
use crate::conf::{MainConf, of_cycle};

/// Adds what `proxy_wasm MODULE [CONFIG]` names to the chain of its level; null: there is none yet.
pub fn push(cf: Conf, chain: &mut *mut Chain) -> Answer {
    // SAFETY: the parser is running, and nobody else uses the configuration.
    unsafe { push_to(cf, of_cycle(cf.cycle()), chain) }
}

/// # Safety
/// Nobody else uses the configuration meanwhile.
unsafe fn push_to(cf: Conf, at: *mut MainConf, level: &mut *mut Chain) -> Answer {
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
    if level.is_null() {
        let Some(main) = NonNull::new(at) else { return CONF_ERROR };
        let chain = Chain { main, roots: Vec::new() };
        let Some(chain) = cf.pool().keep(chain) else { return CONF_ERROR };
        *level = chain.as_ptr();
    }
    // SAFETY: made above or by an earlier directive of this level; merging comes later.
    unsafe { (**level).roots.push(root) };
    CONF_OK
}
