//! A line of the access log that is written in one pass, of requests or of sessions: texts, and between them values, which the owner knows.

use std::cell::Cell;

use wick_log_lines::{Escape, Piece, pieces};
use wick_native::conf::{Answer, CONF_ERROR, Conf, refuse};
use wick_native::pool::Pool;

pub struct Line<V> {
    pub escape: Escape,
    parts: Box<[Part<V>]>,
}

enum Part<V> {
    Text(Box<[u8]>),
    /// Most texts between values are; so many of the bytes.
    Short([u8; 8], usize),
    Value(V),
}

thread_local! {
    /// Memory for one line after the other.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl<V> Line<V> {
    /// Reads `$NAME [escape=WAY] FORMAT` behind a directive's name. `value` finds a variable; `None`: there is none of the name, and the log says
    /// so.
    /// # Errors: what the directive answers nginx.
    pub fn read<'c>(
        conf: Conf<'c>,
        value: impl Fn(&[u8]) -> Option<V>,
    ) -> Result<(&'c [u8], Line<V>), Answer> {
        let words: Vec<_> = conf.words().skip(1).collect();
        let (name, escape, format) = match *words {
            [name, format] => (name, Some(Escape::Default), format),
            [name, escape, format] => (name, Escape::read(escape), format),
            _ => return Err(CONF_ERROR),
        };
        let name = name.strip_prefix(b"$").ok_or(refuse(c"takes a variable's name first"))?;
        let escape = escape.ok_or(refuse(c"knows escape=default, escape=json and escape=none"))?;
        let Some(pieces) = pieces(format) else {
            return Err(conf.error(format_args!("invalid format \"{}\"", format.escape_ascii())));
        };
        let part = |piece| match piece {
            Piece::Text(text) => Some(text_part(text)),
            Piece::Variable(name) => value(name).map(Part::Value),
        };
        let parts: Option<_> = pieces.into_iter().map(part).collect();
        Ok((name, Line { escape, parts: parts.ok_or(CONF_ERROR)? }))
    }

    /// The line, in the pool. `None`: out of memory.
    #[inline]
    pub fn write<'p>(&self, pool: Pool<'p>, put: impl Fn(&V, &mut Vec<u8>)) -> Option<&'p [u8]> {
        // Taken: a variable of the line may be another line.
        let mut text = SCRATCH.take();
        text.clear();
        for part in &self.parts {
            match part {
                Part::Text(part) => text.extend_from_slice(part),
                Part::Short(bytes, len) => {
                    // Eight bytes are one instruction, any other number is a call.
                    text.extend_from_slice(bytes);
                    text.truncate(text.len() - 8 + len);
                }
                Part::Value(value) => put(value, &mut text),
            }
        }
        let copy = pool.copy(&text);
        SCRATCH.set(text);
        copy.map(|copy| &*copy)
    }
}

fn text_part<V>(text: &[u8]) -> Part<V> {
    let mut short = [0; 8];
    match short.get_mut(..text.len()) {
        Some(place) => {
            place.copy_from_slice(text);
            Part::Short(short, text.len())
        }
        None => Part::Text(text.into()),
    }
}
