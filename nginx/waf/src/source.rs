//! The file of a rule set: `{"parts":[{"text":"SecRule …"},{"file":"/path"}]}`, named by the digest of its bytes.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::rules::Fault;

/// Of SHA-256, in hexadecimal.
pub const DIGITS: usize = 64;
/// In lower case.
pub type Digest = [u8; DIGITS];

/// Keeps a worker from reading something else into its memory.
const MAX_BYTES: u64 = 16 << 20;

/// What a set is made of, in the order in which libmodsecurity reads it.
#[derive(Debug, PartialEq, Eq)]
pub struct Source(pub Vec<Part>);

#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    Text(String),
    /// An absolute path.
    File(String),
}

impl Source {
    /// # Errors: it is not there, has another digest, or is no rule set.
    pub fn read(path: &Path, digest: Option<&Digest>) -> Result<Source, Fault> {
        let cannot = |error: std::io::Error| Fault::new(format!("Cannot read it: {error}"));
        if fs::metadata(path).map_err(cannot)?.len() > MAX_BYTES {
            return Err(Fault::new(format!("It has more than {MAX_BYTES} bytes")));
        }
        let bytes = fs::read(path).map_err(cannot)?;
        if digest.is_some_and(|digest| *digest != digest_of(&bytes)) {
            return Err(Fault::new("Its bytes do not have the digest that is its name"));
        }
        Source::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Source, Fault> {
        let json: Value = serde_json::from_slice(bytes)
            .map_err(|error| Fault::new(format!("No JSON: {error}")))?;
        let parts = json.get("parts").and_then(Value::as_array);
        let parts = parts.ok_or_else(|| Fault::new("It has no list \"parts\""))?;
        parts.iter().enumerate().map(part).collect::<Result<_, _>>().map(Source)
    }
}

fn part((nth, json): (usize, &Value)) -> Result<Part, Fault> {
    let text = |name| json.get(name).and_then(Value::as_str).map(str::to_owned);
    let fault = |error: &str| Fault { part: Some(nth), ..Fault::new(error) };
    match (text("text"), text("file")) {
        (Some(text), None) => Ok(Part::Text(text)),
        (None, Some(path)) if path.starts_with('/') => Ok(Part::File(path)),
        (None, Some(_)) => Err(fault("The path of a file begins with a slash")),
        _ => Err(fault("A part has either \"text\" or \"file\"")),
    }
}

fn digest_of(bytes: &[u8]) -> Digest {
    let mut digits = [0; DIGITS];
    for (nth, byte) in Sha256::digest(bytes).iter().enumerate() {
        let digit = |nibble: u8| b"0123456789abcdef"[usize::from(nibble)];
        (digits[2 * nth], digits[2 * nth + 1]) = (digit(byte >> 4), digit(byte & 15));
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_their_order() {
        let source = Source::parse(br#"{"parts":[{"text":"SecRuleEngine On"},{"file":"/a"}]}"#);
        let wanted = vec![Part::Text("SecRuleEngine On".into()), Part::File("/a".into())];
        assert_eq!(source, Ok(Source(wanted)));
    }

    #[test]
    fn what_is_no_rule_set_is_none() {
        for (json, part) in [
            ("", None),
            ("{}", None),
            (r#"{"parts":[{"text":"a","file":"/b"}]}"#, Some(0)),
            (r#"{"parts":[{"text":"a"},{"file":"b"}]}"#, Some(1)),
            (r#"{"parts":[{"text":1}]}"#, Some(0)),
        ] {
            assert_eq!(Source::parse(json.as_bytes()).unwrap_err().part, part, "{json}");
        }
    }

    #[test]
    fn another_digest_is_refused() {
        let path = std::env::temp_dir().join(format!("wick-waf-source-{}", std::process::id()));
        fs::write(&path, br#"{"parts":[]}"#).unwrap();
        let digest = digest_of(br#"{"parts":[]}"#);
        assert_eq!(Source::read(&path, Some(&digest)), Ok(Source(Vec::new())));
        fs::write(&path, br#"{"parts": []}"#).unwrap();
        assert!(Source::read(&path, Some(&digest)).is_err());
        fs::remove_file(&path).unwrap();
        assert!(Source::read(&path, None).is_err());
    }
}
