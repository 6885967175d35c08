//! `ingress_log_line $NAME [escape=WAY] FORMAT`: a variable that is a whole line of the access log.
//!
//! FORMAT and WAY are those of nginx's `log_format`, and the line is the one that it would write. But nginx asks for each variable
//! twice, for its length and for its bytes, and reads these one by one each time: a line cost a sixth of a proxied request. Here it is
//! written in one go, and nginx only has to pass it on: `log_format line escape=none $NAME`.

mod attempts;
mod numbers;
mod sample;

use std::cell::Cell;

use ngx::ffi::{
    NGX_CONF_TAKE3, NGX_CONF_TAKE23, NGX_HTTP_MAIN_CONF, NGX_HTTP_VAR_NOCACHEABLE,
    ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_log_lines::{Escape, Piece, pieces};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::variable::{self, NoAnswer};

use self::attempts::Attempt;
use self::numbers::Number;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_log_line": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE23 => ingress_log_line;
        "ingress_log_sample": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE3 => sample::ingress_log_sample;
    }
}

struct LogLine {
    escape: Escape,
    parts: Box<[Part]>,
}

enum Part {
    Text(Box<[u8]>),
    /// Most texts between variables are; so many of the bytes.
    Short([u8; 8], usize),
    Number(Number),
    /// What is known of the only attempt; of several, the variable with this index.
    Attempt(Attempt, usize),
    /// Its index.
    Variable(usize),
}

thread_local! {
    /// Memory for one line after the other.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

fn ingress_log_line(conf: Conf) -> Answer {
    let words: Vec<_> = conf.words().skip(1).collect();
    let (name, escape, format) = match *words {
        [name, format] => (name, Some(Escape::Default), format),
        [name, escape, format] => (name, Escape::read(escape), format),
        _ => return CONF_ERROR,
    };
    let Some(name) = name.strip_prefix(b"$") else {
        return refuse(c"takes a variable's name first");
    };
    let Some(escape) = escape else {
        return refuse(c"knows escape=default, escape=json and escape=none");
    };
    let Some(parts) = parts(conf, format) else { return CONF_ERROR };
    let Some(line) = conf.pool().keep(LogLine { escape, parts }) else { return CONF_ERROR };
    let declared = variable::declare(conf, name, NGX_HTTP_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(get);
        variable.data = line.as_ptr().addr();
        line.as_ptr().expose_provenance();
    });
    declared.map_or(CONF_ERROR, |()| CONF_OK)
}

/// `None`: the format cannot be read, or nginx has no such variable, and the log says so.
fn parts(conf: Conf, format: &[u8]) -> Option<Box<[Part]>> {
    let Some(pieces) = pieces(format) else {
        conf.error(format_args!("invalid format \"{}\"", format.escape_ascii()));
        return None;
    };
    let part = |piece| {
        Some(match piece {
            Piece::Text(text) => text_part(text),
            Piece::Variable(name) => match (Number::called(name), Attempt::called(name)) {
                (Some(number), _) => Part::Number(number),
                (_, Some(attempt)) => Part::Attempt(attempt, variable::index(conf, name)?),
                _ => Part::Variable(variable::index(conf, name)?),
            },
        })
    };
    pieces.into_iter().map(part).collect()
}

fn text_part(text: &[u8]) -> Part {
    let mut short = [0; 8];
    match short.get_mut(..text.len()) {
        Some(place) => {
            place.copy_from_slice(text);
            Part::Short(short, text.len())
        }
        None => Part::Text(text.into()),
    }
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    line: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request, the place for the value, and what the directive left with the variable, which lives as
    // long as the configuration.
    unsafe {
        let line = &*std::ptr::with_exposed_provenance::<LogLine>(line);
        variable::answer(r, value, |r| line.write(r).map(Some).ok_or(NoAnswer))
    }
}

impl LogLine {
    /// `None`: out of memory.
    fn write<'r>(&self, r: Request<'r>) -> Option<&'r [u8]> {
        // Taken: a variable of the line may be another line.
        let mut text = SCRATCH.take();
        text.clear();
        self.parts.iter().for_each(|part| self.put(part, r, &mut text));
        let copy = r.pool().copy(&text);
        SCRATCH.set(text);
        copy.map(|copy| &*copy)
    }

    #[inline]
    fn put(&self, part: &Part, r: Request, to: &mut Vec<u8>) {
        match part {
            Part::Text(text) => to.extend_from_slice(text),
            Part::Short(bytes, len) => {
                // Eight bytes are one instruction, any other number is a call.
                to.extend_from_slice(bytes);
                to.truncate(to.len() - 8 + len);
            }
            Part::Number(number) => number.write(r, to),
            Part::Attempt(attempt, index) => {
                if !attempt.write(r, to) {
                    self.escape.put(variable::fresh(r, *index), to);
                }
            }
            Part::Variable(index) => self.escape.put(variable::fresh(r, *index), to),
        }
    }
}
