//! Nothing stands between nginx and `wasm_upstream_select`. Above all no second cache of connections: nginx's `keepalive` tells them apart by
//! address alone, or by address and location, where [`Destination`](super::destination::Destination) has all that makes a connection what it is.

use std::mem::zeroed;

use ngx::ffi::{
    nginx_version, ngx_array_t, ngx_http_upstream_init_peer_pt, ngx_http_upstream_main_conf_t,
    ngx_http_upstream_module, ngx_http_upstream_srv_conf_t, ngx_module_t, ngx_str_t,
};
use wick_native::conf::Conf;
use wick_native::text::{borrowed, bytes};

use crate::http::conf::of_upstream;

/// From here on nginx keeps connections to the servers of every block that does not say `keepalive 0`.
const KEEPS_BY_DEFAULT: u32 = 1_029_007;

/// Says `keepalive 0` in the place of a block that says nothing about it. One that says something is none of our business yet, see [`check`].
///
/// # Safety
/// nginx initializes `upstream`, an explicit block; all directives were read.
pub unsafe fn keep_nothing(cf: Conf, upstream: *mut ngx_http_upstream_srv_conf_t) {
    if nginx_version < KEEPS_BY_DEFAULT {
        return;
    }
    // SAFETY: the caller's promise. The directive's handler gets what nginx's parser would give it: its words, its own configuration.
    unsafe {
        let Some(module) = module_named(cf, b"ngx_http_upstream_keepalive_module") else { return };
        let mut command = (*module).commands;
        while (*command).name.len != 0 && bytes((*command).name) != b"keepalive" {
            command = command.add(1);
        }
        let Some(set) = (*command).set else { return };
        let mut words = [borrowed(b"keepalive"), borrowed(b"0")];
        let mut args: ngx_array_t = zeroed();
        (args.elts, args.nelts) = (words.as_mut_ptr().cast(), words.len());
        (args.size, args.nalloc) = (size_of::<ngx_str_t>(), words.len());
        let before = std::mem::replace(&mut (*cf.as_ptr()).args, &mut args);
        // It refuses a second one, and then what the first one says holds.
        set(cf.as_ptr(), command, *(*upstream).srv_conf.add((*module).ctx_index));
        (*cf.as_ptr()).args = before;
    }
}

unsafe fn module_named(cf: Conf, name: &[u8]) -> Option<*mut ngx_module_t> {
    // SAFETY: the modules of the cycle that is being made, up to a null; all have names.
    unsafe {
        let mut modules = (*cf.cycle()).modules;
        while !(*modules).is_null() {
            if std::ffi::CStr::from_ptr((**modules).name).to_bytes() == name {
                return Some(*modules);
            }
            modules = modules.add(1);
        }
    }
    None
}

/// `None`: something wants to choose or keep connections beside us; the configuration is refused with its name.
pub fn check(conf: Conf) -> Option<()> {
    // SAFETY: a postconfiguration hook: the blocks were read and initialized.
    let blocks = unsafe {
        let main =
            conf.http_main::<ngx_http_upstream_main_conf_t>(ngx_http_upstream_module.ctx_index);
        (*main).upstreams.as_slice::<*mut ngx_http_upstream_srv_conf_t>()
    };
    // SAFETY: as above. Only explicit blocks have our part.
    let is_shared = |block: &ngx_http_upstream_srv_conf_t| unsafe {
        if block.srv_conf.is_null() {
            return false;
        }
        let conf = &*of_upstream(std::ptr::from_ref(block).cast_mut());
        let addr = |hook: ngx_http_upstream_init_peer_pt| hook.map(|hook| hook as usize);
        conf.init_upstream.is_some() && addr(block.peer.init) != addr(conf.hook)
    };
    // SAFETY: as above.
    let other = blocks.iter().map(|block| unsafe { &**block }).find(|block| is_shared(block));
    let Some(other) = other else { return Some(()) };
    // SAFETY: the name of a live block.
    let name = unsafe { bytes(other.host) }.escape_ascii();
    conf.error(format_args!(
        "[wasm] \"wasm_upstream_select\" must be the only one that chooses or keeps connections in upstream \"{name}\": \
        leave \"keepalive\" and other methods out, and say how many to keep in its own \"keepalive=N\""
    ));
    None
}
