//! Where an error leads to, as nginx has it: text, or code of its script engine that works the text out for a request.

use std::cell::Cell;

use ngx::ffi::{
    NGX_HTTP_BAD_REQUEST, ngx_http_complex_value_t, ngx_http_err_page_t, ngx_http_script_engine_t,
    ngx_int_t,
};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::text::borrowed;
use wick_routes::{Piece, Template};
use wick_script::level::{ErrorPage, PageStatus};

use super::text::Text;
use crate::script::kept;

/// It does not move: nginx's entries point to it.
pub struct Page {
    target: Target,
    status: PageStatus,
}

enum Target {
    /// What comes behind `?` of a path is its arguments.
    Constant {
        text: Box<[u8]>,
        args: Box<[u8]>,
    },
    Filled(Box<Code<Text>>),
    /// A named location, with its `@`, which is a route of the host.
    Named(Box<Code<Box<[u8]>>>),
}

/// The location of nginx's through which requests come to all named ones of routes (`ingress_route_page`).
const ENTRANCE: &[u8] = b"@page";

/// What nginx's script engine runs: first how long the text is, then that it is written. Source: nginx, `ngx_http_complex_value`.
struct Code<T> {
    length: Step<Length, T>,
    write: Step<Write, T>,
    about: T,
}

/// One step, and its end.
#[repr(C)]
struct Step<F, T> {
    run: F,
    about: Cell<*const T>,
    end: usize,
}

type Length = unsafe extern "C" fn(*mut ngx_http_script_engine_t) -> usize;
type Write = unsafe extern "C" fn(*mut ngx_http_script_engine_t);

thread_local! {
    /// What is to be written, between the two steps; it lives as long as the request.
    static TEXT: Cell<*const [u8]> = const { Cell::new(&[]) };
}

impl Page {
    pub fn of(page: &ErrorPage) -> Page {
        Page { target: Target::of(&page.to), status: page.status }
    }

    pub fn entry(&self, code: u16) -> ngx_http_err_page_t {
        // SAFETY: plain C data.
        let mut value: ngx_http_complex_value_t = unsafe { std::mem::zeroed() };
        let mut own_args = borrowed(b"");
        match &self.target {
            Target::Constant { text, args } => {
                value.value = borrowed(text);
                own_args = borrowed(args);
            }
            Target::Filled(code) => code.enter(&mut value),
            Target::Named(code) => code.enter(&mut value),
        }
        let overwrite = overwrite(code, self.status);
        ngx_http_err_page_t { status: code as ngx_int_t, overwrite, value, args: own_args }
    }
}

/// Source: nginx, `ngx_http_core_error_page`: codes of its own become 400.
fn overwrite(code: u16, status: PageStatus) -> ngx_int_t {
    match status {
        PageStatus::Own(status) => status as ngx_int_t,
        PageStatus::Pages => 0,
        PageStatus::Errors if (494..=497).contains(&code) => NGX_HTTP_BAD_REQUEST as ngx_int_t,
        PageStatus::Errors => -1,
    }
}

impl Target {
    fn of(template: &Template) -> Target {
        if template.pieces().any(|piece| !matches!(piece, Piece::Text(_))) {
            return Target::Filled(Code::of(Text::of(template), length, write));
        }
        let text: Vec<u8> = template
            .pieces()
            .flat_map(|piece| {
                match piece {
                    Piece::Text(text) => text,
                    Piece::Variable(_) | Piece::Group(_) => b"",
                }
                .to_vec()
            })
            .collect();
        if text.starts_with(b"@") {
            return Target::Named(Code::of(text.into(), length_of_entrance, write_entrance));
        }
        let mark = text.iter().position(|byte| *byte == b'?').filter(|_| text.starts_with(b"/"));
        match mark {
            Some(mark) => {
                Target::Constant { text: text[..mark].into(), args: text[mark + 1..].into() }
            }
            None => Target::Constant { text: text.into(), args: Box::default() },
        }
    }
}

impl<T> Code<T> {
    fn of(about: T, length: Length, write: Write) -> Box<Code<T>> {
        let code = Box::new(Code {
            length: Step { run: length, about: Cell::new(std::ptr::null()), end: 0 },
            write: Step { run: write, about: Cell::new(std::ptr::null()), end: 0 },
            about,
        });
        code.length.about.set(&code.about);
        code.write.about.set(&code.about);
        code
    }

    fn enter(&self, value: &mut ngx_http_complex_value_t) {
        value.lengths = (&raw const self.length).cast_mut().cast();
        value.values = (&raw const self.write).cast_mut().cast();
    }
}

unsafe extern "C" fn length(engine: *mut ngx_http_script_engine_t) -> usize {
    guard(0, || {
        // SAFETY: nginx is at one of our steps; the text lives as long as the configuration.
        let text = unsafe {
            let (r, text) = next::<Text>(engine);
            target(r, &*text).unwrap_or_default()
        };
        TEXT.set(text);
        text.len()
    })
}

/// What named locations there are is not for a client to know: a variable leads to none.
fn target<'r>(r: Request<'r>, text: &'r Text) -> Option<&'r [u8]> {
    let value = text.header_value(r)?.unwrap_or_default();
    if value.starts_with(b"@") {
        r.pool().copy(&[b"/", value].concat()).map(|copy| &*copy)
    } else {
        Some(value)
    }
}

unsafe extern "C" fn write(engine: *mut ngx_http_script_engine_t) {
    guard((), || {
        // SAFETY: nginx is at one of our steps, and has made room for what `length` has said right before.
        unsafe {
            next::<Text>(engine);
            put(engine, &*TEXT.replace(&[]));
        }
    });
}

unsafe extern "C" fn length_of_entrance(engine: *mut ngx_http_script_engine_t) -> usize {
    guard(0, || {
        // SAFETY: nginx is at one of our steps; the name lives as long as the configuration.
        unsafe {
            let (r, name) = next::<Box<[u8]>>(engine);
            let Some(state) = kept::of(r) else { return 0 };
            state.lead_to(&**name);
        }
        ENTRANCE.len()
    })
}

unsafe extern "C" fn write_entrance(engine: *mut ngx_http_script_engine_t) {
    guard((), || {
        // SAFETY: nginx is at one of our steps, and has made room for what `length_of_entrance` has said right before.
        unsafe {
            next::<Box<[u8]>>(engine);
            put(engine, ENTRANCE);
        }
    });
}

/// # Safety
/// nginx has made room for the text.
unsafe fn put(engine: *mut ngx_http_script_engine_t, text: &[u8]) {
    // SAFETY: the caller's promise.
    unsafe {
        (*engine).pos.copy_from_nonoverlapping(text.as_ptr(), text.len());
        (*engine).pos = (*engine).pos.add(text.len());
    }
}

/// What the step is about; the engine goes on at its end.
///
/// # Safety
/// nginx is at one of our steps.
unsafe fn next<'r, T>(engine: *mut ngx_http_script_engine_t) -> (Request<'r>, *const T) {
    // SAFETY: the caller's promise; what runs it is a word.
    unsafe {
        let step = (*engine).ip.cast::<usize>();
        (*engine).ip = step.add(2).cast();
        (Request::from_raw((*engine).request), *step.add(1).cast::<*const T>())
    }
}
