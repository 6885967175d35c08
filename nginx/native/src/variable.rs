//! nginx variables by name, resolved to an index once where possible.

use std::ptr::without_provenance_mut;

use ngx::ffi::{
    NGX_HTTP_VAR_CHANGEABLE, NGX_HTTP_VAR_NOCACHEABLE, NGX_HTTP_VAR_NOHASH, ngx_conf_t,
    ngx_hash_find, ngx_hash_key, ngx_hash_key_t, ngx_http_add_variable, ngx_http_core_main_conf_t,
    ngx_http_core_module, ngx_http_get_flushed_variable, ngx_http_get_indexed_variable,
    ngx_http_get_variable, ngx_http_get_variable_index, ngx_http_request_t, ngx_http_variable_t,
    ngx_http_variable_value_t, ngx_int_t,
};

use crate::bits;
use crate::code::{ERROR, OK};
use crate::conf::Conf;
use crate::guard::guard;
use crate::request::Request;
use crate::text::{borrowed, bytes};

/// Where a variable's value comes from.
#[derive(Clone, Debug)]
pub enum Variable {
    /// Some directive of the configuration mentions it: one array access.
    Index(usize),
    /// One of a family that has a prefix in common, as `http_` is that of request headers. `get` reads the name, in lower case.
    Prefixed { name: Box<[u8]>, get: GetHandler },
    /// Found by its lower-case name on each use; a name that nobody defined has no value.
    Name { name: Box<[u8]>, hash: usize },
}

/// A value could not be worked out.
pub struct NoAnswer;

/// Why a variable was not set.
#[derive(Debug, PartialEq, Eq)]
pub enum SetError {
    Unknown,
    ReadOnly,
}

impl Variable {
    /// Resolves `name` for the requests of `r`'s configuration. The result is good for its cycle.
    pub fn resolve(r: Request, name: &[u8]) -> Variable {
        let name = name.to_ascii_lowercase();
        // SAFETY: variables is the array of the indexed ones.
        let indexed: &[ngx_http_variable_t] =
            unsafe { (*r.core_main().as_ptr()).variables.as_slice() };
        // SAFETY: names live as long as the configuration.
        match indexed.iter().position(|v| unsafe { bytes(v.name) } == name) {
            Some(index) => Variable::Index(index),
            None => Variable::by_name(r, name.into()),
        }
    }

    /// A name of its own comes before a prefix, and of prefixes that fit the last counts. Source: `ngx_http_get_variable`.
    fn by_name(r: Request, name: Box<[u8]>) -> Variable {
        // SAFETY: only reads `name.len()` bytes.
        let hash = unsafe { ngx_hash_key(name.as_ptr().cast_mut(), name.len()) };
        let variable = Variable::Name { name, hash };
        if variable.definition(r).is_some() {
            return variable;
        }
        match (variable.prefix(r).and_then(|prefix| prefix.get_handler), variable) {
            (Some(get), Variable::Name { name, .. }) => Variable::Prefixed { name, get },
            (_, variable) => variable,
        }
    }

    fn prefix<'r>(&self, r: Request<'r>) -> Option<&'r ngx_http_variable_t> {
        let Variable::Name { name, .. } = self else { return None };
        // SAFETY: prefix_variables is the array of prefixes, which lives as long as the configuration, as their names do.
        let known: &'r [ngx_http_variable_t] =
            unsafe { (*r.core_main().as_ptr()).prefix_variables.as_slice() };
        // SAFETY: as above.
        let fits = |prefix: &&ngx_http_variable_t| name.starts_with(unsafe { bytes(prefix.name) });
        known.iter().rfind(fits)
    }

    /// The value, `None` when there is none. It lives as long as the request.
    #[inline]
    pub fn get<'r>(&self, r: Request<'r>) -> Option<&'r [u8]> {
        // SAFETY: a live request; the index and the name belong to its configuration.
        let value = unsafe {
            match self {
                Variable::Index(index) => ngx_http_get_indexed_variable(r.as_ptr(), *index),
                Variable::Prefixed { name, get } => return prefixed(r, name, *get),
                Variable::Name { name, hash } => {
                    ngx_http_get_variable(r.as_ptr(), &mut borrowed(name), *hash)
                }
            }
        };
        // SAFETY: what nginx returned is null or a value of this request.
        unsafe { value_bytes(value) }
    }

    /// The same, but worked out anew where nginx says that it may have changed since.
    #[inline]
    pub fn fresh<'r>(&self, r: Request<'r>) -> Option<&'r [u8]> {
        if let Variable::Index(index) = self { fresh(r, *index) } else { self.get(r) }
    }

    /// Sets a variable that nginx allows to be changed.
    pub fn set(&self, r: Request, value: &[u8]) -> Result<(), SetError> {
        // SAFETY: `definition` points into the configuration; variables has a slot per index.
        unsafe {
            let definition = self.definition(r).ok_or(SetError::Unknown)?;
            if (*definition).flags & NGX_HTTP_VAR_CHANGEABLE as usize == 0 {
                return Err(SetError::ReadOnly);
            }
            let copy = r.pool().copy(value).ok_or(SetError::ReadOnly)?;
            if let Some(set) = (*definition).set_handler {
                let mut new: ngx_http_variable_value_t = std::mem::zeroed();
                fill(&mut new, copy);
                set(r.as_ptr(), &mut new, (*definition).data);
                return Ok(());
            }
            match self {
                Variable::Index(index) => fill(&mut *(*r.as_ptr()).variables.add(*index), copy),
                _ => return Err(SetError::ReadOnly),
            }
        }
        Ok(())
    }

    fn definition(&self, r: Request) -> Option<*mut ngx_http_variable_t> {
        // SAFETY: both tables belong to the request's configuration.
        let found: *mut ngx_http_variable_t = unsafe {
            let main = r.core_main().as_ptr();
            match self {
                Variable::Index(index) => {
                    (*main).variables.elts.cast::<ngx_http_variable_t>().add(*index)
                }
                Variable::Prefixed { .. } => return None,
                Variable::Name { name, hash } => {
                    let name = borrowed(name);
                    ngx_hash_find(&mut (*main).variables_hash, *hash, name.data, name.len).cast()
                }
            }
        };
        (!found.is_null()).then_some(found)
    }
}

/// # Safety
/// `get` is the handler of the prefix that `name` has.
unsafe fn prefixed<'r>(r: Request<'r>, name: &[u8], get: GetHandler) -> Option<&'r [u8]> {
    // SAFETY: plain C data, that the handler fills in; a prefix's handler is passed the name for its `data`.
    unsafe {
        let mut value: ngx_http_variable_value_t = std::mem::zeroed();
        let mut name = borrowed(name);
        let answer = get(r.as_ptr(), &mut value, &raw mut name as usize);
        if answer == OK { value_bytes(&mut value) } else { None }
    }
}

/// The value at an index of the request's configuration, `None` when there is none. It lives as long as the request.
#[inline]
pub fn at(r: Request<'_>, index: usize) -> Option<&[u8]> {
    // SAFETY: a live request and an index of its configuration; what nginx returns is null or a value of this request.
    unsafe { value_bytes(ngx_http_get_indexed_variable(r.as_ptr(), index)) }
}

/// The same, but worked out anew where nginx says that it may have changed since.
#[inline]
pub fn fresh(r: Request<'_>, index: usize) -> Option<&[u8]> {
    // SAFETY: as above.
    unsafe { value_bytes(ngx_http_get_flushed_variable(r.as_ptr(), index)) }
}

/// Has the variable at an index worked out anew by the next one who asks.
#[inline]
pub fn forget(r: Request, index: usize) {
    // SAFETY: the array has a place for each index; all zero is a value that was not asked for yet.
    unsafe { (*r.as_ptr()).variables.add(index).write_bytes(0, 1) };
}

/// Whether the variable at an index has a value already, and does not have to be asked for one.
#[inline]
pub fn is_set(r: Request, index: usize) -> bool {
    // SAFETY: a live request and an index of its configuration.
    unsafe { bits::value::VALID.is_set((*r.as_ptr()).variables.add(index)) }
}

/// Keeps a word with the request, in the place of the value at an index, which nginx then takes for missing. It outlives internal
/// redirects, which clear all else that a module keeps with a request, and subrequests that share their parent's values see it.
#[inline]
pub fn note(r: Request, index: usize, word: usize) {
    // SAFETY: the array has a place for each index.
    unsafe { note_at((*r.as_ptr()).variables.add(index), word) };
}

/// # Safety
/// A variable's value of a live request.
unsafe fn note_at(value: *mut ngx_http_variable_value_t, word: usize) {
    // SAFETY: the caller's promise. nginx does not look at the data of what is not there.
    unsafe {
        bits::value::NOT_FOUND.set(value, 1);
        (*value).data = without_provenance_mut(word);
    }
}

/// The word that was noted; `None`: none was.
#[inline]
pub fn noted(r: Request, index: usize) -> Option<usize> {
    // SAFETY: as above.
    unsafe {
        let value = (*r.as_ptr()).variables.add(index);
        bits::value::NOT_FOUND.is_set(value).then(|| (*value).data.addr())
    }
}

/// Declares a variable, or finds the one that has the name already (a second one of a name is refused unless it may be
/// changed), and lets `fill_in` see to its handlers; `flags` are `NGX_HTTP_VAR_*`. `None`: nginx refuses and has said why.
pub fn declare<T>(
    cf: Conf,
    name: &[u8],
    flags: u32,
    fill_in: impl FnOnce(&mut ngx_http_variable_t) -> T,
) -> Option<T> {
    let mut copy = cf.pool().copy_str(name)?;
    // SAFETY: the parser's state; nginx keeps the name, which lives as long as the configuration. The variable may move
    // when another one is declared.
    let variable =
        unsafe { ngx_http_add_variable(cf.as_ptr(), &mut copy, flags as usize).as_mut() };
    variable.map(fill_in)
}

/// Declares a variable in whose place requests carry a word ([`note`]); `absent` stands for it until one is noted. Flags and `None`: as above.
pub fn declare_note(conf: Conf, name: &[u8], flags: u32, absent: usize) -> Option<()> {
    declare(conf, name, flags, |variable| {
        variable.get_handler = Some(note_absent);
        variable.data = absent;
    })
}

unsafe extern "C" fn note_absent(
    _: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    absent: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes the place for the value.
    unsafe { note_at(value, absent) };
    OK
}

/// Has a variable of nginx's own get its values from `handler`. `None`: there is none of this name, and the log says so.
pub fn replace(cf: Conf, name: &[u8], handler: GetHandler) -> Option<()> {
    // SAFETY: inside `http`; nginx has declared its variables before those of other modules, in an array of keys and values.
    unsafe {
        let core = cf.http_main::<ngx_http_core_main_conf_t>(ngx_http_core_module.ctx_index);
        let keys: &[ngx_hash_key_t] = (*(*core).variables_keys).keys.as_slice();
        let Some(key) = keys.iter().find(|key| bytes(key.key) == name) else {
            cf.error(format_args!("nginx has no variable \"{}\"", name.escape_ascii()));
            return None;
        };
        (*key.value.cast::<ngx_http_variable_t>()).get_handler = Some(handler);
    }
    Some(())
}

/// What nginx asks for a value: with a request, the place for the value, and the variable's `data`.
pub type GetHandler = unsafe extern "C" fn(
    *mut ngx_http_request_t,
    *mut ngx_http_variable_value_t,
    usize,
) -> ngx_int_t;

/// The index of `name` while the configuration is parsed; asking makes the variable an indexed one.
pub fn index(cf: Conf, name: &[u8]) -> Option<usize> {
    let copy = cf.pool().copy_str(name)?;
    // SAFETY: the parser's state and a string that lives as long as the configuration.
    let index =
        unsafe { ngx_http_get_variable_index(cf.as_ptr() as *mut ngx_conf_t, &mut { copy }) };
    usize::try_from(index).ok()
}

/// Has requests find the variables that nginx keeps out of its table of names as well, because some directive was to mention them, as
/// `$proxy_add_x_forwarded_for`. `None`: out of memory.
///
/// # Safety
/// Inside `http`, when all variables are declared and nginx has not made its table yet.
pub unsafe fn index_all(cf: Conf) -> Option<()> {
    // SAFETY: the caller's promise: an array of keys and variables, which asking for an index leaves as it is.
    let keys: &[ngx_hash_key_t] = unsafe {
        let core = cf.http_main::<ngx_http_core_main_conf_t>(ngx_http_core_module.ctx_index);
        (*(*core).variables_keys).keys.as_slice()
    };
    for key in keys {
        // SAFETY: as above.
        let (name, variable) =
            unsafe { (bytes(key.key), &*key.value.cast::<ngx_http_variable_t>()) };
        if variable.flags & NGX_HTTP_VAR_NOHASH as usize != 0 && variable.get_handler.is_some() {
            index(cf, name)?;
        }
    }
    Some(())
}

/// Makes `value` a valid, cacheable value of these bytes, which nginx keeps pointing to.
#[inline]
pub fn fill(value: &mut ngx_http_variable_value_t, text: &[u8]) {
    // SAFETY: a live value.
    unsafe {
        bits::value::LEN.set(value, text.len() as u32);
        bits::value::VALID.set(value, 1);
        bits::value::NO_CACHEABLE.set(value, 0);
        bits::value::NOT_FOUND.set(value, 0);
        bits::value::ESCAPE.set(value, 0);
    }
    value.data = text.as_ptr().cast_mut();
}

/// What a get handler does: fills in the value that `get` finds for the request, or says that there is none. With `Err`, and
/// with a panic, nginx takes what wanted the value for failed.
///
/// # Safety
/// `r` and `value` are what nginx passes: a live request, and the place for the value. What `get` returns lives as long.
pub unsafe fn answer<'v>(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    get: impl FnOnce(Request<'v>) -> Result<Option<&'v [u8]>, NoAnswer>,
) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: the caller's promise.
        let (r, value) = unsafe { (Request::from_raw(r), &mut *value) };
        match get(r) {
            Ok(Some(text)) => fill(value, text),
            // SAFETY: as above.
            Ok(None) => unsafe { bits::value::NOT_FOUND.set(value, 1) },
            Err(NoAnswer) => return ERROR,
        }
        OK
    })
}

/// A value that is made anew, and printed, each time that somebody asks for it.
pub trait Printed {
    type Value: ToString;

    /// `None`: there is none.
    fn get(r: Request) -> Option<Self::Value>;
}

/// Declares a variable of such a value. `None`: as for [`declare`].
pub fn declare_printed<P: Printed>(conf: Conf, name: &[u8]) -> Option<()> {
    declare(conf, name, NGX_HTTP_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(printed::<P>);
    })
}

unsafe extern "C" fn printed<P: Printed>(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe {
        answer(r, value, |r| {
            let Some(value) = P::get(r) else { return Ok(None) };
            let copy = r.pool().copy(value.to_string().as_bytes());
            copy.map(|copy| Some(&*copy)).ok_or(NoAnswer)
        })
    }
}

/// # Safety
/// `value` is null or a variable's value of a request, or a session, that lives for `'r`.
#[inline]
pub(crate) unsafe fn value_bytes<'r>(value: *mut ngx_http_variable_value_t) -> Option<&'r [u8]> {
    // SAFETY: the caller's promise. A valid value points to `len` bytes that live as long as the request.
    unsafe {
        if value.is_null()
            || !bits::value::VALID.is_set(value)
            || bits::value::NOT_FOUND.is_set(value)
        {
            return None;
        }
        let len = bits::value::LEN.get(value) as usize;
        Some(bytes(ngx::ffi::ngx_str_t { len, data: (*value).data }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_filled_whatever_it_was() {
        // SAFETY: plain C data.
        let mut value: ngx_http_variable_value_t = unsafe { std::mem::zeroed() };
        // SAFETY: a live value.
        unsafe {
            bits::value::NOT_FOUND.set(&mut value, 1);
            bits::value::NO_CACHEABLE.set(&mut value, 1);
            bits::value::ESCAPE.set(&mut value, 1);
            assert_eq!(value_bytes(&mut value), None);
        }
        fill(&mut value, b"shop");
        // SAFETY: as above.
        unsafe {
            assert_eq!(bits::value::LEN.get(&value), 4);
            assert!(bits::value::VALID.is_set(&value) && !bits::value::NOT_FOUND.is_set(&value));
            assert!(!bits::value::NO_CACHEABLE.is_set(&value));
            assert!(!bits::value::ESCAPE.is_set(&value));
            assert_eq!(value_bytes(&mut value), Some(&b"shop"[..]));
        }
    }
}
