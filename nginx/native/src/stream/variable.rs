//! Variables of sessions.

use std::ptr::NonNull;

use ngx::ffi::{
    NGX_STREAM_VAR_CHANGEABLE, NGX_STREAM_VAR_NOCACHEABLE, ngx_hash_key, ngx_int_t,
    ngx_stream_core_main_conf_t, ngx_stream_session_t, ngx_stream_variable_t,
    ngx_stream_variable_value_t, ngx_uint_t,
};

use super::session::Session;
use super::{core_ctx_index, functions};
use crate::bits;
use crate::code::{ERROR, OK};
use crate::conf::Conf;
use crate::guard::guard;
use crate::text::{borrowed, bytes};
use crate::variable::{SetError, fill, value_bytes};

/// What finds a variable's values.
pub trait Valued {
    /// `None`: the session has none. It lives as long as the session.
    fn get(s: Session<'_>) -> Option<&[u8]>;
}

/// Declares a variable of `stream { }`, from a postconfiguration hook. `None`: nginx refuses and has said why.
pub fn declare<V: Valued>(cf: Conf, name: &[u8]) -> Option<()> {
    declare_with::<V>(cf, name, 0)
}

/// Declares one that [`set`] gives a value; it has none before.
pub fn declare_changeable(cf: Conf, name: &[u8]) -> Option<()> {
    declare_with::<Nothing>(cf, name, NGX_STREAM_VAR_CHANGEABLE)?;
    index(cf, name).map(drop)
}

fn declare_with<V: Valued>(cf: Conf, name: &[u8], flags: u32) -> Option<()> {
    add(cf, name, flags, |variable| variable.get_handler = Some(answer::<V>))
}

/// What a directive has made, and gives a variable its values, anew each time.
pub trait Written {
    /// `None`: out of memory.
    fn write<'s>(&self, s: Session<'s>) -> Option<&'s [u8]>;
}

/// Declares the variable that `written`, in the configuration's pool, gives its values. `None`: as above.
pub fn declare_written<W: Written>(cf: Conf, name: &[u8], written: NonNull<W>) -> Option<()> {
    add(cf, name, NGX_STREAM_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(write::<W>);
        variable.data = written.as_ptr().expose_provenance();
    })
}

fn add(
    cf: Conf,
    name: &[u8],
    flags: u32,
    fill_in: impl FnOnce(&mut ngx_stream_variable_t),
) -> Option<()> {
    let mut copy = cf.pool().copy_str(name)?;
    // SAFETY: the parser's state; nginx keeps the name, which lives as long as the configuration.
    let variable =
        unsafe { (functions().add_variable)(cf.as_ptr(), &mut copy, flags as usize).as_mut() };
    variable.map(fill_in)
}

struct Nothing;

impl Valued for Nothing {
    fn get(_: Session<'_>) -> Option<&[u8]> {
        None
    }
}

/// Sets a variable that was declared as changeable, by its name in lower case.
pub fn set(s: Session<'_>, name: &[u8], value: &[u8]) -> Result<(), SetError> {
    // SAFETY: the core module's configuration: `variables` is the array of those with an index, whose names live as long.
    let indexed: &[ngx_stream_variable_t] = unsafe {
        (*s.main_conf::<ngx_stream_core_main_conf_t>(core_ctx_index())).variables.as_slice()
    };
    // SAFETY: as above.
    let index = indexed.iter().position(|known| unsafe { bytes(known.name) } == name);
    let index = index.ok_or(SetError::Unknown)?;
    if indexed[index].flags & NGX_STREAM_VAR_CHANGEABLE as usize == 0 {
        return Err(SetError::ReadOnly);
    }
    let copy = s.pool().copy(value).ok_or(SetError::ReadOnly)?;
    // SAFETY: a session has a place for each index.
    unsafe { fill(&mut *(*s.as_ptr()).variables.add(index), copy) };
    Ok(())
}

unsafe extern "C" fn answer<V: Valued>(
    s: *mut ngx_stream_session_t,
    value: *mut ngx_stream_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live session and the place for the value.
    guard(ERROR, || unsafe {
        match V::get(Session::from_raw(s)) {
            Some(text) => fill(&mut *value, text),
            None => bits::value::NOT_FOUND.set(value, 1),
        }
        OK
    })
}

unsafe extern "C" fn write<W: Written>(
    s: *mut ngx_stream_session_t,
    value: *mut ngx_stream_variable_value_t,
    written: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live session, the place for the value, and what `declare_written` left with the variable.
    guard(ERROR, || unsafe {
        let written = &*std::ptr::with_exposed_provenance::<W>(written);
        match written.write(Session::from_raw(s)) {
            Some(text) => fill(&mut *value, text),
            None => return ERROR,
        }
        OK
    })
}

/// The index of `name` while the configuration is parsed; asking makes the variable an indexed one.
pub fn index(cf: Conf, name: &[u8]) -> Option<usize> {
    let mut copy = cf.pool().copy_str(name)?;
    // SAFETY: the parser's state and a string that lives as long as the configuration.
    usize::try_from(unsafe { (functions().get_variable_index)(cf.as_ptr(), &mut copy) }).ok()
}

/// The value at an index of the session's configuration, `None` when there is none. It lives as long as the session.
pub fn at(s: Session<'_>, index: usize) -> Option<&[u8]> {
    // SAFETY: a live session and an index of its configuration; what nginx returns is null or a value of this session.
    unsafe { value_bytes((functions().get_indexed_variable)(s.as_ptr(), index as ngx_uint_t)) }
}

/// The value of the variable with this name, in lower case; `None` when there is none, or no such variable.
pub fn named<'s>(s: Session<'s>, name: &[u8]) -> Option<&'s [u8]> {
    // SAFETY: only reads `name.len()` bytes; as above.
    unsafe {
        let hash = ngx_hash_key(name.as_ptr().cast_mut(), name.len());
        value_bytes((functions().get_variable)(s.as_ptr(), &mut borrowed(name), hash))
    }
}
