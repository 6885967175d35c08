//! How a location passes requests on, and to which block of servers.

use ngx::ffi::{
    NGX_HTTP_VERSION_11, ngx_http_upstream_conf_t, ngx_http_upstream_main_conf_t,
    ngx_http_upstream_module, ngx_http_upstream_srv_conf_t,
};
use wick_native::conf::Conf;
use wick_native::measure::{module_named, place_of};
use wick_native::request::Request;

/// Where the configurations of the modules are that pass requests on; each begins with nginx's `ngx_http_upstream_conf_t`.
#[derive(Default)]
pub struct Protocols {
    http: Option<usize>,
    /// Where the first has its version of HTTP, in nginx's numbers.
    version: Option<usize>,
    grpc: Option<usize>,
    fastcgi: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1, whose headers are lines of text.
    Lines,
    /// HTTP of any version: with `proxy_http_version 2`, or where a variable says to whom.
    Http,
    Grpc,
    FastCgi,
}

/// In nginx's numbers.
const LATEST_WITH_LINES: usize = NGX_HTTP_VERSION_11 as usize;

pub type Block = *mut ngx_http_upstream_srv_conf_t;

impl Protocols {
    /// # Safety
    /// The parser is inside `http`.
    pub unsafe fn find(conf: Conf) -> Protocols {
        // SAFETY: the caller's promise.
        let module = |name| unsafe { module_named(conf, name) };
        // SAFETY: a module of the configuration.
        let index = |name| module(name).map(|it| unsafe { it.as_ref() }.ctx_index);
        // SAFETY: as above.
        let place = |module| unsafe { place_of(module, b"proxy_http_version") };
        Protocols {
            http: index(c"ngx_http_proxy_module"),
            version: module(c"ngx_http_proxy_module").and_then(place),
            grpc: index(c"ngx_http_grpc_module"),
            fastcgi: index(c"ngx_http_fastcgi_module"),
        }
    }

    /// That of the request's location; its block where the configuration names one and no variable has to be asked.
    #[inline]
    pub fn of(&self, r: Request) -> (Protocol, Option<Block>) {
        if let Some(block) = block(r, self.http) {
            return (self.version_of(r), Some(block));
        }
        let others = [(self.grpc, Protocol::Grpc), (self.fastcgi, Protocol::FastCgi)];
        let mut others = others.into_iter();
        let own = others.find_map(|(slot, protocol)| Some((protocol, Some(block(r, slot)?))));
        own.unwrap_or((Protocol::Http, None))
    }

    #[inline]
    fn version_of(&self, r: Request) -> Protocol {
        let (Some(slot), Some(place)) = (self.http, self.version) else { return Protocol::Http };
        // SAFETY: that module's configuration of the request's location, which has the directive's number there.
        let version = unsafe { *r.loc_conf::<u8>(slot).add(place).cast::<usize>() };
        if version <= LATEST_WITH_LINES { Protocol::Lines } else { Protocol::Http }
    }
}

/// That which the module in this slot passes the location's requests to.
#[inline]
fn block(r: Request, slot: Option<usize>) -> Option<Block> {
    // SAFETY: that module's configuration of the request's location, which begins with nginx's.
    let block = unsafe { (*r.loc_conf::<ngx_http_upstream_conf_t>(slot?)).upstream };
    (!block.is_null()).then_some(block)
}

/// All blocks of the configuration.
pub fn blocks<'r>(r: Request<'r>) -> &'r [Block] {
    // SAFETY: the module of upstreams has a main configuration, with an array of them that is complete while requests run.
    unsafe {
        let main = r.main_conf::<ngx_http_upstream_main_conf_t>(ngx_http_upstream_module.ctx_index);
        (*main).upstreams.as_slice()
    }
}
