//! What `wasm_upstream_select` says in every upstream.

use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};

use super::lossy;
use crate::conf::of_cycle;
use crate::conf::upstream::{Text, Upstream};

const DEFAULT_MAX_TRIES: usize = 3;

/// How a kind of subject has its variables.
pub struct Compiler {
    /// The index of the variable with this name.
    pub index: fn(Conf, &[u8]) -> Option<usize>,
    pub text: fn(Conf, &[u8]) -> Option<Text>,
}

/// Whether the directive may stand here at all. `is_second`: in this block; `has_other`: another one chooses there, too.
pub fn begin(cf: Conf, upstream: &mut Upstream, is_second: bool, has_other: bool) -> Answer {
    // SAFETY: the parser is running, and nobody changes the configuration meanwhile.
    if unsafe { !(*of_cycle(cf.cycle())).declared } {
        return cf.error(format_args!(
            "[wasm] \"wasm_upstream_select\" directive is specified but config has no \"wasm\" section"
        ));
    }
    if is_second {
        return refuse(c"is duplicate");
    }
    if has_other {
        return refuse(c"must be the only one that chooses or keeps connections: leave \"keepalive\" and other methods out");
    }
    upstream.max_tries = DEFAULT_MAX_TRIES;
    CONF_OK
}

/// `max_tries=N`, `key=$VARIABLE`, `fallback=KEY`; anything else is refused.
pub fn option(cf: Conf, upstream: &mut Upstream, compiler: &Compiler, word: &[u8]) -> Answer {
    if let Some(number) = word.strip_prefix(b"max_tries=") {
        return match lossy(number).parse() {
            Ok(n @ 1..) => {
                upstream.max_tries = n;
                CONF_OK
            }
            _ => cf.error(format_args!("[wasm] invalid max_tries value in \"{}\"", lossy(word))),
        };
    }
    if let Some(name) = word.strip_prefix(b"key=$").filter(|name| is_name(name)) {
        upstream.key = (compiler.index)(cf, name);
        return if upstream.key.is_some() { CONF_OK } else { CONF_ERROR };
    }
    match word.strip_prefix(b"fallback=") {
        Some(key) if !key.is_empty() => {
            upstream.fallback = (compiler.text)(cf, key);
            if upstream.fallback.is_some() { CONF_OK } else { CONF_ERROR }
        }
        _ => cf.error(format_args!("[wasm] invalid parameter \"{}\"", lossy(word))),
    }
}

/// One variable and nothing else: its value is there without being put together.
fn is_name(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'_')
}
