//! A request as a `Copy` handle. Never a `&mut`: C code re-enters and changes it behind our back.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::net::{IpAddr, SocketAddr};
use std::ptr::{NonNull, null_mut};
use std::slice;
use std::str::FromStr;

use ngx::ffi::{
    NGX_HTTP_GET, NGX_HTTP_HEAD, NGX_HTTP_VERSION_9, NGX_HTTP_VERSION_20, NGX_LOG_DEBUG,
    ngx_cached_time, ngx_chain_t, ngx_connection_local_sockaddr, ngx_http_auth_basic_user,
    ngx_http_block_reading, ngx_http_core_loc_conf_t, ngx_http_core_main_conf_t,
    ngx_http_core_module, ngx_http_core_srv_conf_t, ngx_http_finalize_request, ngx_http_request_t,
    ngx_http_set_exten, ngx_http_test_reading, ngx_http_upstream_state_t, ngx_http_upstream_t,
    ngx_int_t, ngx_log_t, ngx_str_t,
};

use crate::address::socket_address;
use crate::bits;
use crate::code::{DECLINED, OK};
use crate::log;
use crate::pool::Pool;
use crate::text::{EMPTY, borrowed, bytes, number};

/// What comes from the handle, its strings and what lies in its pool, is good for `'r`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Request<'r>(NonNull<ngx_http_request_t>, PhantomData<&'r ngx_http_request_t>);

impl<'r> Request<'r> {
    /// # Safety
    /// `r` is a live request, and is not freed before `'r` ends.
    #[inline]
    pub unsafe fn from_raw(r: *mut ngx_http_request_t) -> Request<'r> {
        // SAFETY: the caller's promise.
        Request(unsafe { NonNull::new_unchecked(r) }, PhantomData)
    }

    #[inline]
    pub fn as_ptr(self) -> *mut ngx_http_request_t {
        self.0.as_ptr()
    }

    /// Not a subrequest.
    #[inline]
    pub fn is_main(self) -> bool {
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).main == self.as_ptr() }
    }

    #[inline]
    pub fn pool(self) -> Pool<'r> {
        // SAFETY: a live request has a pool.
        unsafe { Pool::from_raw((*self.as_ptr()).pool) }
    }

    #[inline]
    pub fn log(self) -> *mut ngx_log_t {
        // SAFETY: a live request has a connection with a log.
        unsafe { (*(*self.as_ptr()).connection).log }
    }

    /// A line at debug level, when the request's log shows those.
    pub fn debug(self, message: std::fmt::Arguments<'_>) {
        log::write(self.log(), NGX_LOG_DEBUG as usize, message);
    }

    /// A module's configuration of the location that the request is in now.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` created as location configuration.
    #[inline]
    pub unsafe fn loc_conf<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: loc_conf has one slot per HTTP module.
        unsafe { (*(*self.as_ptr()).loc_conf.add(ctx_index)).cast() }
    }

    /// A module's main configuration.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` created as main configuration.
    #[inline]
    pub unsafe fn main_conf<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: main_conf has one slot per HTTP module.
        unsafe { (*(*self.as_ptr()).main_conf.add(ctx_index)).cast() }
    }

    /// The core module's location configuration: body limits, error pages, timeouts.
    pub fn core_loc(self) -> NonNull<ngx_http_core_loc_conf_t> {
        // SAFETY: the core module always has one.
        unsafe { NonNull::new_unchecked(self.loc_conf(ngx_http_core_module.ctx_index)) }
    }

    /// The core module's main configuration: variables, known headers, phases.
    pub fn core_main(self) -> NonNull<ngx_http_core_main_conf_t> {
        // SAFETY: as above.
        unsafe { NonNull::new_unchecked(self.main_conf(ngx_http_core_module.ctx_index)) }
    }

    /// What a module keeps with this request; null at first and after an internal redirect.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` stored with [`Request::set_ctx`].
    #[inline]
    pub unsafe fn ctx<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: ctx has one slot per HTTP module.
        unsafe { (*(*self.as_ptr()).ctx.add(ctx_index)).cast() }
    }

    /// Keeps `ctx` with this request.
    ///
    /// # Safety
    /// `ctx_index` is that of an HTTP module.
    #[inline]
    pub unsafe fn set_ctx<T>(self, ctx_index: usize, ctx: *mut T) {
        // SAFETY: ctx has one slot per HTTP module.
        unsafe { *(*self.as_ptr()).ctx.add(ctx_index) = ctx.cast() };
    }

    #[inline]
    pub fn upstream(self) -> Option<NonNull<ngx_http_upstream_t>> {
        // SAFETY: a live request.
        NonNull::new(unsafe { (*self.as_ptr()).upstream })
    }

    pub fn method(self) -> &'r [u8] {
        // SAFETY: a string of the request; see `str`.
        self.str(unsafe { (*self.as_ptr()).method_name })
    }

    /// The decoded, normalised path.
    pub fn uri(self) -> &'r [u8] {
        // SAFETY: as above.
        self.str(unsafe { (*self.as_ptr()).uri })
    }

    /// The arguments as the client sent them, without `?`.
    pub fn args(self) -> &'r [u8] {
        // SAFETY: as above.
        self.str(unsafe { (*self.as_ptr()).args })
    }

    /// The arguments where they are a number and nothing else; `default` without any, `None` where they are something else.
    pub fn numeric_args<N: FromStr>(self, default: N) -> Option<N> {
        number(self.args(), default)
    }

    /// Gives the request another path in the way of nginx's `rewrite … break`: from now on it is escaped anew for the
    /// upstream, and the arguments stay.
    ///
    /// # Safety
    /// `uri` lives as long as the request.
    pub unsafe fn set_uri(self, uri: &[u8]) {
        // SAFETY: a live request; the caller's promise.
        unsafe {
            let r = self.as_ptr();
            (*r).uri = borrowed(uri);
            bits::request::INTERNAL.set(r, 1);
            bits::request::VALID_UNPARSED_URI.set(r, 0);
            bits::request::VALID_LOCATION.set(r, 0);
            bits::request::URI_CHANGED.set(r, 0);
            ngx_http_set_exten(r);
        }
    }

    /// Gives the request other arguments, as `set $args` does.
    ///
    /// # Safety
    /// `args` lives as long as the request.
    pub unsafe fn set_args(self, args: &[u8]) {
        // SAFETY: a live request; the caller's promise.
        unsafe {
            (*self.as_ptr()).args = borrowed(args);
            bits::request::VALID_UNPARSED_URI.set(self.as_ptr(), 0);
        }
    }

    /// The client has written its path with escapes, or with a plus.
    pub fn has_escaped_path(self) -> bool {
        // SAFETY: a live request.
        unsafe {
            bits::request::QUOTED_URI.is_set(self.as_ptr())
                || bits::request::PLUS_IN_URI.is_set(self.as_ptr())
        }
    }

    /// Whether [`Request::spend_change`] would be false.
    pub fn has_last_change(self) -> bool {
        // SAFETY: a live request.
        unsafe { bits::request::URI_CHANGES.get(self.as_ptr()) <= 1 }
    }

    /// The request is looked for once more. False: it was too often, as nginx counts its rewrites and internal redirects.
    pub fn spend_change(self) -> bool {
        // SAFETY: a live request.
        unsafe {
            let left = bits::request::URI_CHANGES.get(self.as_ptr()).saturating_sub(1);
            bits::request::URI_CHANGES.set(self.as_ptr(), left);
            left > 0
        }
    }

    /// Behind [`Request::set_uri`]: the path has its escapes already, and the upstream gets it byte by byte.
    pub fn pass_path_as_it_is(self) {
        // SAFETY: a live request.
        unsafe {
            bits::request::INTERNAL.set(self.as_ptr(), 0);
            bits::request::QUOTED_URI.set(self.as_ptr(), 0);
        }
    }

    /// Has the request ask for another path, by GET unless it is a HEAD, as nginx's `error_page` does.
    ///
    /// # Safety
    /// `uri` and `args` live as long as the request.
    pub unsafe fn get_instead(self, uri: &[u8], args: &[u8]) {
        // SAFETY: the caller's promise.
        unsafe { self.set_uri(uri) };
        // SAFETY: a live request; the caller's promise.
        unsafe {
            let r = self.as_ptr();
            (*r).args = borrowed(args);
            if (*r).method != NGX_HTTP_HEAD as usize {
                (*r).method = NGX_HTTP_GET as usize;
                (*r).method_name = borrowed(b"GET");
            }
        }
    }

    /// What group `n` of the latest regular expression of the configuration captured, for `$1` to `$9`.
    pub fn capture(self, n: u8) -> Option<&'r [u8]> {
        let at = 2 * usize::from(n);
        // SAFETY: a live request; nginx keeps two offsets into the captured text per group.
        unsafe {
            let r = self.as_ptr();
            if at + 1 >= (*r).ncaptures {
                return None;
            }
            let (start, end) = (*(*r).captures.add(at), *(*r).captures.add(at + 1));
            let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
            let data = (*r).captures_data.add(start);
            Some(self.str(ngx_str_t { len: end.checked_sub(start)?, data }))
        }
    }

    /// The path as the client sent it, with its escapes.
    pub fn unparsed_path(self) -> &'r [u8] {
        let target = self.unparsed_uri();
        let end = target.iter().position(|byte| matches!(byte, b'?' | b'#'));
        &target[..end.unwrap_or(target.len())]
    }

    /// Path and query as the client sent them.
    pub fn unparsed_uri(self) -> &'r [u8] {
        // SAFETY: as above.
        self.str(unsafe { (*self.as_ptr()).unparsed_uri })
    }

    /// The requested host: lower-case, without port.
    pub fn host(self) -> &'r [u8] {
        // SAFETY: as above.
        self.str(unsafe { (*self.as_ptr()).headers_in.server })
    }

    /// Says which host is requested, of a request that nginx makes itself: lower-case, without port.
    pub fn set_host(self, host: &'r [u8]) {
        // SAFETY: a live request, whose memory the string lies in.
        unsafe { (*self.as_ptr()).headers_in.server = borrowed(host) };
    }

    /// Says how many bytes its body has, of a request that nginx makes itself.
    pub fn set_content_length(self, bytes: i64) {
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).headers_in.content_length_n = bytes };
    }

    /// Has `$remote_user` be what the request's Authorization says now.
    pub fn forget_user(self) {
        // SAFETY: a live request; null pointers mean that nginx has not looked yet.
        unsafe {
            (*self.as_ptr()).headers_in.user = EMPTY;
            (*self.as_ptr()).headers_in.passwd = EMPTY;
        }
    }

    /// The Host header as it is, or what HTTP/2 has in its place; `None`: there is none.
    #[inline]
    pub fn host_header(self) -> Option<&'r [u8]> {
        // SAFETY: null, or an element of the request's list; see `str`.
        unsafe { (*self.as_ptr()).headers_in.host.as_ref().map(|header| self.str(header.value)) }
    }

    /// Host and port that the client asks for beside any header, as it wrote them: in the request line of HTTP/1.x, whose target is
    /// in absolute form (RFC 9112, 3.2.2), or `:authority` of HTTP/3. `None`: there are none, or it is HTTP/2, where nginx makes a
    /// header of them.
    #[inline]
    pub fn target_authority(self) -> Option<&'r [u8]> {
        // SAFETY: a live request.
        let (start, version) =
            unsafe { ((*self.as_ptr()).host_start, (*self.as_ptr()).http_version) };
        if start.is_null() {
            return None;
        }
        match version.cmp(&(NGX_HTTP_VERSION_20 as usize)) {
            Ordering::Less => self.authority_in_line(start.addr()),
            Ordering::Equal => None,
            Ordering::Greater => self.pseudo_authority(),
        }
    }

    /// Of HTTP/3; nginx has both ends of it.
    fn pseudo_authority(self) -> Option<&'r [u8]> {
        // SAFETY: a live request, in whose memory both lie where one does.
        unsafe {
            let (start, end) = ((*self.as_ptr()).host_start, (*self.as_ptr()).host_end);
            let len = end.addr().checked_sub(start.addr())?;
            Some(slice::from_raw_parts(start, len))
        }
    }

    #[cold]
    fn authority_in_line(self, start: usize) -> Option<&'r [u8]> {
        // SAFETY: a string of the request; see `str`.
        let line = self.str(unsafe { (*self.as_ptr()).request_line });
        let rest = line.get(start.checked_sub(line.as_ptr().addr())?..)?;
        rest.split(|byte| matches!(byte, b'/' | b'?' | b' ')).next()
    }

    // The bytes live in the request's pool or buffers.
    fn str(self, s: ngx_str_t) -> &'r [u8] {
        // SAFETY: see above.
        unsafe { bytes(s) }
    }

    /// Whether a request body is still to come or was already read.
    pub fn has_body(self) -> bool {
        // SAFETY: a live request; stream is null or a live HTTP/2 stream.
        unsafe {
            let r = self.as_ptr();
            let headers = &(*r).headers_in;
            let open_stream = headers.content_length_n < 0
                && !(*r).stream.is_null()
                && !bits::ngx_http_v2_stream_s::IN_CLOSED.is_set((*r).stream);
            headers.content_length_n > 0
                || bits::ngx_http_headers_in_t::CHUNKED.is_set(headers)
                || open_stream
        }
    }

    /// The client's address, after the realip module and a PROXY header have said who it is; `None`: on a unix socket.
    #[inline]
    pub fn client_address(self) -> Option<IpAddr> {
        // SAFETY: a live request has a connection with an address.
        unsafe { socket_address((*(*self.as_ptr()).connection).sockaddr.cast()) }.map(|it| it.ip())
    }

    /// Address and port of ours that the client has connected to. nginx asks the kernel once in a connection, and only where it listens on all
    /// addresses. `None`: on a unix socket, or the kernel does not say.
    #[inline]
    pub fn local_address(self) -> Option<SocketAddr> {
        // SAFETY: a live request has a connection; nginx sets its local address, or has done so.
        unsafe {
            let connection = (*self.as_ptr()).connection;
            if ngx_connection_local_sockaddr(connection, null_mut(), 0) != OK {
                return None;
            }
            socket_address((*connection).local_sockaddr.cast())
        }
    }

    /// The client's address as PROXY protocol tells it, in text; `None`: the connection does not speak it.
    #[inline]
    pub fn proxy_protocol_source(self) -> Option<&'r [u8]> {
        // SAFETY: a live request has a connection; null, or what was read at its beginning, which lives as long.
        unsafe {
            let told = (*(*self.as_ptr()).connection).proxy_protocol.as_ref()?;
            Some(self.str(told.src_addr))
        }
    }

    /// Whether names of its headers may have other characters than letters, digits and dashes.
    #[inline]
    pub fn allows_odd_header_names(self) -> bool {
        // SAFETY: the core module has a configuration for each server.
        unsafe {
            let server = (*self.as_ptr()).srv_conf.add(ngx_http_core_module.ctx_index);
            let server = &*(*server).cast::<ngx_http_core_srv_conf_t>();
            server.underscores_in_headers != 0 || server.ignore_invalid_headers == 0
        }
    }

    /// `NGX_HTTP_VERSION_…`
    #[inline]
    pub fn http_version(self) -> usize {
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).http_version }
    }

    /// Whether the client's connection is encrypted.
    pub fn is_tls(self) -> bool {
        // SAFETY: a live request has a connection.
        unsafe { !(*(*self.as_ptr()).connection).ssl.is_null() }
    }

    /// The response's status so far; 0 before there is one.
    pub fn status(self) -> u16 {
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).headers_out.status as u16 }
    }

    /// As `$status` has it: that of an error page is the error's, and HTTP/0.9 has none.
    #[inline]
    pub fn logged_status(self) -> u64 {
        // SAFETY: a live request.
        let (error, status, version) = unsafe {
            let r = &*self.as_ptr();
            (r.err_status, r.headers_out.status, r.http_version)
        };
        match (error, status) {
            (0, 0) if version == NGX_HTTP_VERSION_9 as usize => 9,
            (0, status) => status as u64,
            (error, _) => error as u64,
        }
    }

    /// Bytes of the response that were sent to the client, without its head.
    pub fn body_bytes_sent(self) -> u64 {
        // SAFETY: a live request has a connection.
        let sent =
            unsafe { (*(*self.as_ptr()).connection).sent - (*self.as_ptr()).header_size as i64 };
        u64::try_from(sent).unwrap_or(0)
    }

    /// Bytes of the response that were sent to the client, its head included.
    #[inline]
    pub fn bytes_sent(self) -> u64 {
        // SAFETY: a live request has a connection.
        u64::try_from(unsafe { (*(*self.as_ptr()).connection).sent }).unwrap_or(0)
    }

    /// The place of the method's bit: 1 is GET, 2 HEAD, 3 POST …, 0 one that nginx does not know.
    #[inline]
    pub fn method_number(self) -> usize {
        // SAFETY: a live request.
        match unsafe { (*self.as_ptr()).method } {
            0 => 0,
            bit => bit.trailing_zeros() as usize,
        }
    }

    /// Bytes that the client has sent for it: line, headers and body.
    #[inline]
    pub fn length(self) -> u64 {
        // SAFETY: a live request.
        u64::try_from(unsafe { (*self.as_ptr()).request_length }).unwrap_or(0)
    }

    /// To pass it on, in order.
    #[inline]
    pub fn attempts(self) -> &'r [ngx_http_upstream_state_t] {
        // SAFETY: null, or an array of the request's; a handle is not used while nginx changes it.
        unsafe { (*self.as_ptr()).upstream_states.as_ref().map_or(&[], |states| states.as_slice()) }
    }

    /// The request that a subrequest belongs to; of a request itself, that one.
    #[inline]
    pub fn main(self) -> Request<'r> {
        // SAFETY: a live request, whose main one lives as long at least.
        unsafe { Request::from_raw((*self.as_ptr()).main) }
    }

    /// When its first byte was read: milliseconds since 1970.
    pub fn started_ms(self) -> u64 {
        // SAFETY: a live request.
        let ms = unsafe { (*self.as_ptr()).start_sec * 1000 + (*self.as_ptr()).start_msec as i64 };
        u64::try_from(ms).unwrap_or(0)
    }

    /// Milliseconds since its first byte was read.
    #[inline]
    pub fn age_ms(self) -> u64 {
        // SAFETY: a live request; nginx points to another time in this very thread.
        let ms = unsafe {
            let (r, now) = (&*self.as_ptr(), &*ngx_cached_time);
            (now.sec - r.start_sec) * 1000 + (now.msec as i64 - r.start_msec as i64)
        };
        u64::try_from(ms).unwrap_or(0)
    }

    /// Whatever the status is changed to, logs have the present one.
    pub fn keep_logged_status(self) {
        let status = self.logged_status() as usize;
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).err_status = status };
    }

    /// Changes the status of a response that was not sent yet.
    pub fn set_status(self, status: u16) {
        // SAFETY: a live request; an empty line makes nginx print its own text for the status.
        unsafe {
            (*self.as_ptr()).headers_out.status = usize::from(status);
            (*self.as_ptr()).headers_out.status_line.len = 0;
        }
    }

    /// User name and password of the client (RFC 7617), which nginx decodes once for all who ask. `None`: it sends none.
    ///
    /// # Errors: out of memory.
    pub fn credentials(self) -> Result<Option<Credentials<'r>>, OutOfMemory> {
        // SAFETY: a live request; the texts are of its pool.
        unsafe {
            match ngx_http_auth_basic_user(self.as_ptr()) {
                OK => {
                    let headers = &(*self.as_ptr()).headers_in;
                    let (user, password) = (bytes(headers.user), bytes(headers.passwd));
                    Ok(Some(Credentials { user, password }))
                }
                DECLINED => Ok(None),
                _ => Err(OutOfMemory),
            }
        }
    }

    /// Whether the request ends when its client leaves while it waits. nginx looks for that only where it is told to.
    pub fn end_with_client(self, ends: bool) {
        let handler = if ends { ngx_http_test_reading } else { ngx_http_block_reading };
        // SAFETY: a live request whose body nobody reads yet; both are nginx's own.
        unsafe { (*self.as_ptr()).read_event_handler = Some(handler) };
    }

    /// Takes no further request on a connection of HTTP/1.1.
    pub fn close_after(self) {
        // SAFETY: a live request.
        unsafe { bits::request::KEEPALIVE.set(self.as_ptr(), 0) };
    }

    /// Takes no further request on the connection: one of HTTP/1.1 is closed, on one of HTTP/2 the next stream that
    /// begins is the last one, as when `keepalive_requests` is reached.
    pub fn retire_connection(self) {
        self.close_after();
        // SAFETY: a live request; stream is null or a live HTTP/2 stream, with its connection.
        unsafe {
            if let Some(stream) = (*self.as_ptr()).stream.as_ref() {
                (*(*stream.connection).connection).requests = usize::MAX / 2;
            }
        }
    }

    /// Ends what its upstream is doing, as nginx does before another one begins. The request stays, and is to be finalized.
    ///
    /// # Safety
    /// Called from the event loop, not from within what the upstream is doing.
    pub unsafe fn abandon_upstream(self) {
        // SAFETY: a live request; where the upstream is busy, `cleanup` is the place of the function that ends it, which gives one reference back.
        unsafe {
            let cleanup =
                self.upstream().and_then(|upstream| (*upstream.as_ptr()).cleanup.as_ref());
            let Some(Some(end)) = cleanup else { return };
            let main = (*self.as_ptr()).main;
            bits::request::COUNT.set(main, bits::request::COUNT.get(main) + 1);
            end(self.as_ptr().cast());
        }
    }

    /// Ends the request (or one reference to it) with `rc`.
    ///
    /// # Safety
    /// A handler that called this returns `DONE` and does not use the request again.
    pub unsafe fn finalize(self, rc: ngx_int_t) {
        // SAFETY: the caller's promise.
        unsafe { ngx_http_finalize_request(self.as_ptr(), rc) }
    }
}

/// Who a client says that it is (RFC 7617).
pub struct Credentials<'r> {
    pub user: &'r [u8],
    pub password: &'r [u8],
}

/// nginx has no memory left.
#[derive(Debug)]
pub struct OutOfMemory;

/// One link of an output or body chain after the other.
///
/// # Safety
/// `chain` and all its links are live while the iterator is.
pub unsafe fn links(chain: *mut ngx_chain_t) -> impl Iterator<Item = NonNull<ngx_chain_t>> {
    // SAFETY: the caller's promise.
    std::iter::successors(NonNull::new(chain), |link| NonNull::new(unsafe { link.as_ref().next }))
}
