//! How a location passes requests on, and to which block of servers.

use ngx::ffi::{
    ngx_http_upstream_conf_t, ngx_http_upstream_main_conf_t, ngx_http_upstream_module,
    ngx_http_upstream_srv_conf_t,
};
use wick_native::conf::Conf;
use wick_native::measure::module_named;
use wick_native::request::Request;

/// Where the configurations of the modules are that pass requests on; each begins with nginx's `ngx_http_upstream_conf_t`.
#[derive(Default)]
pub struct Protocols {
    http: Option<usize>,
    grpc: Option<usize>,
    fastcgi: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Http,
    Grpc,
    FastCgi,
}

pub type Block = *mut ngx_http_upstream_srv_conf_t;

impl Protocols {
    /// # Safety
    /// The parser is inside `http`.
    pub unsafe fn find(conf: Conf) -> Protocols {
        // SAFETY: the caller's promise.
        let module = |name| unsafe { module_named(conf, name) };
        // SAFETY: a module of the configuration.
        let index = |name| module(name).map(|it| unsafe { it.as_ref() }.ctx_index);
        Protocols {
            http: index(c"ngx_http_proxy_module"),
            grpc: index(c"ngx_http_grpc_module"),
            fastcgi: index(c"ngx_http_fastcgi_module"),
        }
    }

    /// That of the request's location; its block where the configuration names one and no variable has to be asked.
    pub fn of(&self, r: Request) -> (Protocol, Option<Block>) {
        let all = [
            (self.http, Protocol::Http),
            (self.grpc, Protocol::Grpc),
            (self.fastcgi, Protocol::FastCgi),
        ];
        let own = all.into_iter().find_map(|(slot, protocol)| {
            // SAFETY: that module's configuration of the request's location, which begins with nginx's.
            let block = unsafe { (*r.loc_conf::<ngx_http_upstream_conf_t>(slot?)).upstream };
            (!block.is_null()).then_some((protocol, Some(block)))
        });
        own.unwrap_or((Protocol::Http, None))
    }
}

/// All blocks of the configuration.
pub fn blocks<'r>(r: Request<'r>) -> &'r [Block] {
    // SAFETY: the module of upstreams has a main configuration, with an array of them that is complete while requests run.
    unsafe {
        let main = r.main_conf::<ngx_http_upstream_main_conf_t>(ngx_http_upstream_module.ctx_index);
        (*main).upstreams.as_slice()
    }
}
