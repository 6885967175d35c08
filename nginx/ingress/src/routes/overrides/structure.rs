//! The location configurations that hold a route's numbers: where they are, and how long.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use ngx::ffi::{
    ngx_http_core_loc_conf_t, ngx_http_core_module, ngx_http_module_t, ngx_http_upstream_conf_t,
    ngx_module_t,
};
use wick_native::conf::Conf;
use wick_native::measure::{made_alone, module_named};

/// A module's location configuration, as far as it is known.
#[derive(Clone, Copy)]
pub struct Structure {
    /// The module's place in a location's array of configurations.
    pub slot: usize,
    pub bytes: usize,
}

/// A module that fetches responses: its private structure begins with the public `ngx_http_upstream_conf_t`.
#[derive(Clone, Copy)]
pub struct Protocol {
    pub structure: Structure,
    /// Has buffers and temporary files. gRPC always passes on what it got at once, in one buffer.
    pub buffers: bool,
    /// Errors of the backend may have a page: as in ingress-nginx those of HTTP alone.
    pub intercepts: bool,
    /// Says so to endpoints in handshakes.
    pub is_http2: bool,
}

/// Name, `buffers`, `intercepts` and `is_http2`.
const PROTOCOLS: [(&CStr, bool, bool, bool); 3] = [
    (c"ngx_http_proxy_module", true, true, false),
    (c"ngx_http_grpc_module", false, false, true),
    (c"ngx_http_fastcgi_module", true, false, false),
];

/// The protocols of this nginx, measured.
#[derive(Clone, Copy, Default)]
pub struct Protocols {
    known: [Option<Protocol>; PROTOCOLS.len()],
    /// A module of this nginx that could not be measured.
    pub unknown: Option<&'static CStr>,
}

impl Protocols {
    /// # Safety
    /// The parser is inside `http`.
    pub unsafe fn measure(conf: Conf) -> Protocols {
        let mut protocols = Protocols::default();
        for (place, (name, buffers, intercepts, is_http2)) in
            protocols.known.iter_mut().zip(PROTOCOLS)
        {
            // SAFETY: the caller's promise; the modules of these names are HTTP modules.
            let Some(module) = (unsafe { module_named(conf, name) }) else { continue };
            // SAFETY: as above.
            *place = unsafe { measure(conf, module) }.map(|structure| Protocol {
                structure,
                buffers,
                intercepts,
                is_http2,
            });
            if place.is_none() {
                protocols.unknown = Some(name);
            }
        }
        protocols
    }

    pub fn known(&self) -> impl Iterator<Item = Protocol> + Clone + use<> {
        self.known.into_iter().flatten()
    }
}

/// The core module's.
pub fn core() -> Structure {
    // SAFETY: nginx wrote the index before it called us.
    let slot = unsafe { ngx_http_core_module.ctx_index };
    Structure { slot, bytes: size_of::<ngx_http_core_loc_conf_t>() }
}

/// Lets the module make a fresh configuration and looks how long that is.
///
/// # Safety
/// The parser is inside `http`, and `module` is an HTTP module.
unsafe fn measure(conf: Conf, module: NonNull<ngx_module_t>) -> Option<Structure> {
    // SAFETY: as promised.
    unsafe {
        let slot = (*module.as_ptr()).ctx_index;
        let create = (*(*module.as_ptr()).ctx.cast::<ngx_http_module_t>()).create_loc_conf?;
        made_alone(conf, create, |made, bytes| {
            begins_with_upstream(made, bytes).then_some(Structure { slot, bytes })
        })
    }
}

/// A fresh configuration has its timeouts unset.
///
/// # Safety
/// `made` points to `bytes` readable bytes.
unsafe fn begins_with_upstream(made: NonNull<c_void>, bytes: usize) -> bool {
    if bytes < size_of::<ngx_http_upstream_conf_t>() {
        return false;
    }
    // SAFETY: long enough, and any bytes are valid numbers.
    let upstream = unsafe { made.cast::<ngx_http_upstream_conf_t>().as_ref() };
    [upstream.connect_timeout, upstream.send_timeout, upstream.read_timeout] == [usize::MAX; 3]
}
