//! `ingress_error_pages CODE …`, and the same as numbers of a route: which errors have a page. Where that is, is the same for all of them, one
//! of three named locations; `$ingress_error_code` says there what the page is about.
//!
//! nginx goes to the page of `error_page` by a name that it works out for the request, and forgets the code before. So names are ours to work out:
//! by code of nginx's script engine, which has the code of the error in it.

use std::ptr::null_mut;

use ngx::ffi::{
    ngx_array_t, ngx_http_complex_value_t, ngx_http_core_loc_conf_t, ngx_http_core_module,
    ngx_http_err_page_t, ngx_http_request_t, ngx_http_script_engine_t, ngx_http_variable_value_t,
    ngx_int_t,
};
use wick_native::bits;
use wick_native::code::OK;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::text::EMPTY;
use wick_native::variable::{self, Variable, fill};

const CODE: &[u8] = b"ingress_error_code";

/// nginx has no page for a client that has gone.
const GONE: usize = 499;
/// nginx throws away the body that is too large: the length of it may not be announced.
const TOO_LARGE: usize = 413;

/// The codes that may have a page.
const FIRST: usize = 300;
const NUMBER: usize = 300;

/// One step of a script, and its end. Source: nginx, `ngx_http_complex_value`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Step<F> {
    run: F,
    code: usize,
    end: usize,
}

type Length = unsafe extern "C" fn(*mut ngx_http_script_engine_t) -> usize;
type Write = unsafe extern "C" fn(*mut ngx_http_script_engine_t);

static LENGTHS: [Step<Length>; NUMBER] = steps(length);
static WRITES: [Step<Write>; NUMBER] = steps(write_name);

const fn steps<F: Copy>(run: F) -> [Step<F>; NUMBER] {
    let mut all = [Step { run, code: FIRST, end: 0 }; NUMBER];
    let mut at = 0;
    while at < NUMBER {
        all[at].code = FIRST + at;
        at += 1;
    }
    all
}

/// How long the page's name is for this request. It comes before the name is written.
unsafe extern "C" fn length(engine: *mut ngx_http_script_engine_t) -> usize {
    guard(0, || {
        // SAFETY: nginx is at one of our steps.
        let (r, code) = unsafe { next(engine) };
        note(r, code);
        name(r, code).len()
    })
}

unsafe extern "C" fn write_name(engine: *mut ngx_http_script_engine_t) {
    guard((), || {
        // SAFETY: nginx is at one of our steps, and has made room for the length that it was told.
        unsafe {
            let (r, code) = next(engine);
            let name = name(r, code);
            (*engine).pos.copy_from_nonoverlapping(name.as_ptr(), name.len());
            (*engine).pos = (*engine).pos.add(name.len());
        }
    });
}

/// What the step is about; the engine goes on at its end.
///
/// # Safety
/// nginx is at one of our steps.
unsafe fn next<'r>(engine: *mut ngx_http_script_engine_t) -> (Request<'r>, usize) {
    // SAFETY: the caller's promise; what runs it is a word, and so is the code.
    unsafe {
        let step = (*engine).ip.cast::<usize>();
        (*engine).ip = step.add(2).cast();
        (Request::from_raw((*engine).request), *step.add(1))
    }
}

/// What its own backend was not given, nobody else gets.
fn name(r: Request, code: usize) -> &'static [u8] {
    match code {
        _ if r.attempts().is_empty() => b"@refused",
        TOO_LARGE => b"@error-without-body",
        _ => b"@error",
    }
}

/// Values of variables stay with the request when it goes to the page.
fn note(r: Request, code: usize) {
    let Variable::Index(index) = Variable::resolve(r, CODE) else { return };
    let Some(text) = r.pool().copy(code.to_string().as_bytes()) else { return };
    // SAFETY: the array of values has a place for each index.
    fill(unsafe { &mut *(*r.as_ptr()).variables.add(index) }, text);
}

/// Declares `$ingress_error_code`.
pub fn declare(conf: Conf) -> Option<()> {
    variable::declare(conf, CODE, 0, |variable| variable.get_handler = Some(no_code))?;
    variable::index(conf, CODE).map(drop)
}

/// There is none before something has failed.
unsafe extern "C" fn no_code(
    _: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes the place for the value.
    unsafe { bits::value::NOT_FOUND.set(value, 1) };
    OK
}

/// `ingress_error_pages CODE …`: in a named location, in the place of nginx's `error_page`.
pub fn directive(conf: Conf) -> Answer {
    let codes = conf.words().skip(1).map(|word| std::str::from_utf8(word).ok()?.parse().ok());
    let codes: Option<Vec<u16>> = codes.collect();
    let is_code = |code: &u16| (FIRST..FIRST + NUMBER).contains(&usize::from(*code));
    let Some(codes) =
        codes.filter(|codes| codes.iter().all(|code| is_code(code) && usize::from(*code) != GONE))
    else {
        return refuse(c"takes codes from 300 to 599 without 499");
    };
    // SAFETY: the directive stands in a location.
    let core =
        unsafe { &mut *conf.http_loc::<ngx_http_core_loc_conf_t>(ngx_http_core_module.ctx_index) };
    if !core.error_pages.is_null() {
        return refuse(c"is duplicate, or stands beside \"error_page\"");
    }
    let memory = conf.pool().keep(vec![0u64; words(codes.iter().copied())]);
    let Some(mut memory) = memory else { return CONF_ERROR };
    // SAFETY: nobody else refers to the block, which is as long as it has to be and lives with the configuration.
    core.error_pages = unsafe { write(codes.into_iter(), memory.as_mut().as_mut_ptr()) };
    CONF_OK
}

const ARRAY_WORDS: usize = size_of::<ngx_array_t>().div_ceil(size_of::<u64>());
const PAGE_WORDS: usize = size_of::<ngx_http_err_page_t>().div_ceil(size_of::<u64>());

/// How much room [`write`] needs for the pages of these codes.
pub fn words(codes: impl Iterator<Item = u16>) -> usize {
    ARRAY_WORDS + codes.count() * PAGE_WORDS
}

/// Writes what nginx looks through for the page of an error, and returns it.
///
/// # Safety
/// The codes may have a page. At `place` there is room for [`words`] of them, for as long as requests look through it.
pub unsafe fn write(codes: impl Iterator<Item = u16>, place: *mut u64) -> *mut ngx_array_t {
    let array = place.cast::<ngx_array_t>();
    // SAFETY: the caller's promise; the pages are behind the array, in whole words.
    unsafe {
        let pages = place.add(ARRAY_WORDS).cast::<ngx_http_err_page_t>();
        let mut number = 0;
        for code in codes {
            pages.add(number).write(page(code.into()));
            number += 1;
        }
        array.write(ngx_array_t {
            elts: pages.cast(),
            nelts: number,
            size: size_of::<ngx_http_err_page_t>(),
            nalloc: number,
            pool: null_mut(),
        });
    }
    array
}

/// The answer has the status that the page has, as after `=` without a code.
fn page(code: usize) -> ngx_http_err_page_t {
    let at = code - FIRST;
    // SAFETY: plain C data.
    let mut value: ngx_http_complex_value_t = unsafe { std::mem::zeroed() };
    value.lengths = (&raw const LENGTHS[at]).cast_mut().cast();
    value.values = (&raw const WRITES[at]).cast_mut().cast();
    ngx_http_err_page_t { status: code as isize, overwrite: 0, value, args: EMPTY }
}
