//! `proxy_wasm` in `http`: the filters that a location's requests pass, in order.

use wick_native::conf::{Answer, Conf};

use super::conf::LocConf;
use crate::directives::chain::push;

/// What stands further out holds where nothing stands further in.
pub fn merge(outer: &LocConf, inner: &mut LocConf) {
    if inner.chain.is_null() {
        inner.chain = outer.chain;
    }
}

/// `proxy_wasm MODULE [CONFIG]`
pub fn proxy_wasm(cf: Conf, conf: &mut LocConf) -> Answer {
    push(cf, &mut conf.chain)
}
