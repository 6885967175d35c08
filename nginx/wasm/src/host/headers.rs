//! Header maps: those of the request (0) and of the response (2), with the pseudo headers of HTTP/2.

use std::borrow::Cow;

use wasmtime::Linker;
use wick_abi::header_map::{Pair, encode, encoded_len};
use wick_abi::{HeaderMap, Map, Status};
use wick_guest::{Answer, define};
use wick_native::headers::{self, Side};
use wick_native::request::Request;

use super::current::Step;
use super::guest::{AtHand, Guest};
use super::state::Host;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
        "proxy_get_header_map_pairs"(map, data_at, size_at) => pairs;
        "proxy_set_header_map_pairs"(map, data, len) => set_pairs;
        "proxy_get_header_map_value"(map, key, key_len, data_at, size_at) => get;
        "proxy_add_header_map_value"(map, key, key_len, value, value_len) => add;
        "proxy_replace_header_map_value"(map, key, key_len, value, value_len) => replace;
        "proxy_remove_header_map_value"(map, key, key_len) => remove;
        "proxy_get_header_map_size"(map, size_at) => size;
    );
    Ok(())
}

type Value<'r> = Cow<'r, [u8]>;

fn pairs(guest: &mut Guest<'_>, map: i32, data_at: i32, size_at: i32) -> Answer {
    let (r, side) = readable(guest, map)?;
    let all = all(r, side);
    let pairs: Vec<Pair> = all.iter().map(|(name, value)| (*name, value.as_ref())).collect();
    guest.give_with(encoded_len(&pairs), data_at, size_at, |to, _| {
        encode(&pairs, to).map_err(|_| Status::InternalFailure)
    })
}

fn size(guest: &mut Guest<'_>, map: i32, size_at: i32) -> Answer {
    let (r, side) = readable(guest, map)?;
    let bytes: usize = all(r, side).iter().map(|(name, value)| name.len() + value.len()).sum();
    guest.write_u32(size_at, bytes as u32)?;
    Ok(())
}

fn get(
    guest: &mut Guest<'_>,
    map: i32,
    key: i32,
    key_len: i32,
    data_at: i32,
    size_at: i32,
) -> Answer {
    let (r, side) = readable(guest, map)?;
    let name = guest.bytes(key, key_len)?;
    let value = match name.strip_prefix(b":") {
        Some(_) => pseudo(r, side, name),
        None => headers::get(r, side, name).map(Cow::Borrowed),
    };
    guest.give(&value.ok_or(Status::NotFound)?, data_at, size_at)
}

fn add(
    guest: &mut Guest<'_>,
    map: i32,
    key: i32,
    key_len: i32,
    value: i32,
    value_len: i32,
) -> Answer {
    change(guest, map, (key, key_len), (value, value_len), headers::add)
}

fn replace(
    guest: &mut Guest<'_>,
    map: i32,
    key: i32,
    key_len: i32,
    value: i32,
    value_len: i32,
) -> Answer {
    change(guest, map, (key, key_len), (value, value_len), headers::replace)
}

type Change = fn(Request, Side, &[u8], &[u8]) -> Result<(), headers::Refused>;

fn change(
    guest: &mut Guest<'_>,
    map: i32,
    key: (i32, i32),
    value: (i32, i32),
    change: Change,
) -> Answer {
    let (r, side) = writable(guest, map)?;
    let value = guest.bytes(value.0, value.1)?.to_vec();
    let name = guest.bytes(key.0, key.1)?;
    if name.starts_with(b":") {
        return set_pseudo(r, side, name, &value);
    }
    change(r, side, name, &value).map_err(|_| Status::BadArgument)?;
    Ok(())
}

fn remove(guest: &mut Guest<'_>, map: i32, key: i32, key_len: i32) -> Answer {
    let (r, side) = writable(guest, map)?;
    let name = guest.bytes(key, key_len)?;
    if name.starts_with(b":") {
        return Err(Status::BadArgument.into());
    }
    headers::remove(r, side, name);
    Ok(())
}

/// Replaces all headers; pseudo headers stay unless the new map has them.
fn set_pairs(guest: &mut Guest<'_>, map: i32, data: i32, len: i32) -> Answer {
    let (r, side) = writable(guest, map)?;
    let bytes = guest.bytes(data, len)?;
    let new = HeaderMap::parse(bytes).map_err(|_| Status::BadArgument)?;
    let valid = |(name, value): Pair| {
        name.starts_with(b":") || (headers::is_token(name) && headers::is_field_value(value))
    };
    if !new.iter().all(valid) {
        return Err(Status::BadArgument.into());
    }
    let old: Vec<&[u8]> = headers::each(r, side).map(|(name, _)| name).collect();
    old.into_iter().for_each(|name| headers::remove(r, side, name));
    for (name, value) in new.iter() {
        if name.starts_with(b":") {
            set_pseudo(r, side, name, value)?;
        } else {
            headers::add(r, side, name, value).map_err(|_| Status::InternalFailure)?;
        }
    }
    Ok(())
}

/// A map that can be read in this step.
fn readable<'a>(guest: &Guest<'a>, map: i32) -> Result<(Request<'a>, Side), Status> {
    let side = match Map::try_from(map).map_err(|_| Status::BadArgument)? {
        Map::HttpRequestHeaders => Side::Request,
        Map::HttpResponseHeaders => Side::Response,
        _ => return Err(Status::Unimplemented),
    };
    Ok((guest.request()?, side))
}

/// A map that can be changed in this step: the request's before it is passed on, the response's before it is sent.
fn writable<'a>(guest: &mut Guest<'a>, map: i32) -> Result<(Request<'a>, Side), Status> {
    let (r, side) = readable(guest, map)?;
    match (side, guest.host().current.step) {
        (Side::Request, Step::RequestHeaders | Step::RequestBody) => Ok((r, side)),
        (Side::Response, Step::ResponseHeaders) => Ok((r, side)),
        _ => Err(Status::BadArgument),
    }
}

fn all(r: Request<'_>, side: Side) -> Vec<(&[u8], Value<'_>)> {
    let names: &[&'static [u8]] = match side {
        Side::Request => &[b":method", b":path", b":authority", b":scheme"],
        Side::Response => &[b":status"],
    };
    let pseudo = names.iter().filter_map(|name| Some((*name, pseudo(r, side, name)?)));
    let content_type = (side == Side::Response).then(|| {
        headers::content_type(r).map(|value| (&b"content-type"[..], Cow::Borrowed(value)))
    });
    let plain = headers::each(r, side).map(|(name, value)| (name, Cow::Borrowed(value)));
    pseudo.chain(content_type.flatten()).chain(plain).collect()
}

fn pseudo<'r>(r: Request<'r>, side: Side, name: &[u8]) -> Option<Value<'r>> {
    Some(match (side, name) {
        (Side::Request, b":method") => Cow::Borrowed(r.method()),
        (Side::Request, b":path") => Cow::Borrowed(r.unparsed_uri()),
        (Side::Request, b":authority") => {
            Cow::Borrowed(headers::get(r, side, b"host").unwrap_or(r.host()))
        }
        (Side::Request, b":scheme") => Cow::Borrowed(if r.is_tls() { b"https" } else { b"http" }),
        (Side::Response, b":status") => Cow::Owned(r.status().to_string().into_bytes()),
        _ => return None,
    })
}

fn set_pseudo(r: Request, side: Side, name: &[u8], value: &[u8]) -> Answer {
    match (side, name) {
        (Side::Request, b":authority") => {
            headers::replace(r, side, b"host", value).map_err(|_| Status::BadArgument)?;
        }
        (Side::Response, b":status") => r.set_status(status(value).ok_or(Status::BadArgument)?),
        (Side::Request, b":method" | b":path" | b":scheme") => {
            return Err(Status::Unimplemented.into());
        }
        _ => return Err(Status::BadArgument.into()),
    }
    Ok(())
}

fn status(value: &[u8]) -> Option<u16> {
    std::str::from_utf8(value).ok()?.parse().ok().filter(|status| (200..600).contains(status))
}
