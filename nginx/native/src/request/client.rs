//! Who has sent a request, over which connection, and what of it is still to come.

use std::net::{IpAddr, SocketAddr};
use std::ptr::null_mut;

use ngx::ffi::{
    ngx_connection_local_sockaddr, ngx_http_auth_basic_user, ngx_http_block_reading,
    ngx_http_core_module, ngx_http_core_srv_conf_t, ngx_http_test_reading,
};

use super::Request;
use crate::address::socket_address;
use crate::bits;
use crate::code::{DECLINED, OK};
use crate::text::{EMPTY, bytes};

/// Who a client says that it is (RFC 7617).
pub struct Credentials<'r> {
    pub user: &'r [u8],
    pub password: &'r [u8],
}

/// nginx has no memory left.
#[derive(Debug)]
pub struct OutOfMemory;

impl<'r> Request<'r> {
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

    /// Bytes that the client has sent for it: line, headers and body.
    #[inline]
    pub fn length(self) -> u64 {
        // SAFETY: a live request.
        u64::try_from(unsafe { (*self.as_ptr()).request_length }).unwrap_or(0)
    }

    /// Says how many bytes its body has, of a request that nginx makes itself.
    pub fn set_content_length(self, bytes: i64) {
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).headers_in.content_length_n = bytes };
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

    /// Has `$remote_user` be what the request's Authorization says now.
    pub fn forget_user(self) {
        // SAFETY: a live request; null pointers mean that nginx has not looked yet.
        unsafe {
            (*self.as_ptr()).headers_in.user = EMPTY;
            (*self.as_ptr()).headers_in.passwd = EMPTY;
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
}
