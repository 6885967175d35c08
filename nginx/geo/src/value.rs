//! What a database says: one text or number.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};

/// Printed as nginx's variables have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'d> {
    Text(&'d str),
    Number(u64),
    Signed(i64),
    /// Five digits behind the point.
    Fraction(f64),
    /// `1` or `0`.
    Flag(bool),
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Text(text) => f.write_str(text),
            Value::Number(number) => number.fmt(f),
            Value::Signed(number) => number.fmt(f),
            Value::Fraction(number) => write!(f, "{number:.5}"),
            Value::Flag(flag) => u8::from(flag).fmt(f),
        }
    }
}

impl<'d> Deserialize<'d> for Value<'d> {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Value<'d>, D::Error> {
        from.deserialize_any(OneValue)
    }
}

/// Takes no maps, arrays and bytes.
struct OneValue;

impl<'d> Visitor<'d> for OneValue {
    type Value = Value<'d>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_borrowed_str<E>(self, text: &'d str) -> Result<Value<'d>, E> {
        Ok(Value::Text(text))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value<'d>, E> {
        Ok(Value::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value<'d>, E> {
        Ok(Value::Signed(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value<'d>, E> {
        Ok(Value::Fraction(number))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value<'d>, E> {
        Ok(Value::Flag(flag))
    }
}
