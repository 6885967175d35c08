//! What rules may look into, and whether they may stop anybody. libmodsecurity does not say, so their text is searched for the only words that can
//! turn it on.

use std::fs;
use std::path::Path;

/// What has to be shown to a set. Where the text is not clear it is more than is needed, never less.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    pub request_body: bool,
    pub response_body: bool,
    types: Types,
    /// What the first text says that speaks of the engine: whether it blocks. `None`: none has spoken.
    engine: Option<bool>,
    /// A rule may have the engine block.
    switches_on: bool,
}

/// Of responses whose bodies are looked into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Types {
    /// No text says: all of them.
    #[default]
    Unsaid,
    /// In lower case.
    Listed(Vec<Box<[u8]>>),
    /// Somebody says something that is not looked at here.
    Any,
}

/// Of files that include files.
const MAX_DEPTH: usize = 4;

impl Wants {
    /// Of a text that stands by itself: it includes nothing.
    pub fn of(text: &str) -> Wants {
        let mut wants = Wants::default();
        wants.read(&text.to_ascii_lowercase());
        if includes(text).next().is_some() {
            wants.doubt();
        }
        wants
    }

    /// Of a file and those that it includes.
    pub fn of_file(path: &Path) -> Wants {
        let mut wants = Wants::default();
        wants.read_file(path, MAX_DEPTH);
        wants
    }

    /// Of what is read behind it: settings that were made stay.
    pub fn and(self, later: Wants) -> Wants {
        Wants {
            request_body: self.request_body || later.request_body,
            response_body: self.response_body || later.response_body,
            types: self.types.and(later.types),
            engine: self.engine.or(later.engine),
            switches_on: self.switches_on || later.switches_on,
        }
    }

    /// Whether a request may be stopped. Rules that only detect hold nothing up.
    pub fn may_block(&self) -> bool {
        self.engine == Some(true) || self.switches_on
    }

    /// Whether the body of a response of this type may be looked into.
    pub fn inspects(&self, content_type: &[u8]) -> bool {
        let name = content_type.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        self.response_body
            && match &self.types {
                Types::Unsaid | Types::Any => true,
                Types::Listed(types) => types.iter().any(|one| one.eq_ignore_ascii_case(name)),
            }
    }

    fn doubt(&mut self) {
        let engine = self.engine.or(Some(true));
        *self = Wants {
            request_body: true,
            response_body: true,
            types: Types::Any,
            engine,
            switches_on: true,
        };
    }

    fn read_file(&mut self, path: &Path, depth: usize) {
        let (Ok(bytes), true) = (fs::read(path), depth > 0) else { return self.doubt() };
        let text = String::from_utf8_lossy(&bytes);
        self.read(&text.to_ascii_lowercase());
        for named in includes(&text) {
            // A path with a pattern is none, and is doubted.
            let named = path.parent().unwrap_or(path).join(named);
            self.read_file(&named, depth - 1);
        }
    }

    fn read(&mut self, text: &str) {
        self.request_body |= text.contains("requestbodyaccess");
        self.response_body |= text.contains("responsebodyaccess");
        self.switches_on |= text.contains("ruleengine=on");
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("secruleengine") => {
                    let blocks = words.next().is_some_and(|word| word.trim_matches('"') == "on");
                    self.engine = Some(self.engine == Some(true) || blocks);
                }
                Some("secresponsebodymimetype") => {
                    let types = words.map(|word| word.trim_matches('"').as_bytes().into());
                    let types = Types::Listed(types.collect());
                    self.types = std::mem::take(&mut self.types).and(types);
                }
                Some("secresponsebodymimetypesclear") => self.types = Types::Any,
                _ => {}
            }
        }
    }
}

impl Types {
    fn and(self, later: Types) -> Types {
        match (self, later) {
            (Types::Any, _) | (_, Types::Any) => Types::Any,
            (Types::Unsaid, other) | (other, Types::Unsaid) => other,
            (Types::Listed(some), Types::Listed(more)) => Types::Listed([some, more].concat()),
        }
    }
}

/// What the text includes.
fn includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (word, rest) = line.trim().split_once(char::is_whitespace)?;
        let is_it =
            ["include", "includeoptional"].iter().any(|name| word.eq_ignore_ascii_case(name));
        is_it.then(|| rest.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_wanted_where_rules_speak_of_them() {
        let none = Wants::of("SecRuleEngine On\nSecRule ARGS x \"id:1\"");
        assert!(!none.request_body && !none.response_body && none.may_block());
        assert!(Wants::of("secrequestbodyaccess On").request_body);
        assert!(Wants::of("SecAction \"id:1,ctl:requestBodyAccess=On\"").request_body);
        let both = Wants::of("SecResponseBodyAccess On").and(Wants::of("SecRequestBodyAccess On"));
        assert!(both.request_body && both.response_body);
    }

    #[test]
    fn what_cannot_be_read_may_say_anything() {
        for wants in [Wants::of(" Include /a.conf"), Wants::of_file(Path::new("/not/there"))] {
            assert!(wants.request_body && wants.may_block() && wants.inspects(b"a/b"));
        }
    }

    #[test]
    fn the_first_text_that_speaks_of_the_engine_holds() {
        let (detects, blocks) =
            (Wants::of("SecRuleEngine DetectionOnly"), Wants::of("SecRuleEngine \"On\""));
        assert!(!detects.clone().and(blocks.clone()).may_block());
        assert!(blocks.and(detects.clone()).may_block());
        assert!(!Wants::default().may_block());
        assert!(detects.and(Wants::of("SecAction \"id:1,ctl:ruleEngine=On\"")).may_block());
    }

    #[test]
    fn only_listed_types_are_looked_into() {
        let all = Wants::of("SecResponseBodyAccess On");
        assert!(all.inspects(b"text/event-stream"));
        let some = all.and(Wants::of("SecResponseBodyMimeType text/plain text/html"));
        assert!(some.inspects(b"Text/HTML; charset=utf-8") && !some.inspects(b"text/event-stream"));
        assert!(!Wants::of("SecResponseBodyMimeType text/plain").inspects(b"text/plain"));
    }

    #[test]
    fn files_are_read_with_those_that_they_include() {
        let folder = std::env::temp_dir().join(format!("wick-waf-wants-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.conf"), "# Include none.conf\nInclude b.conf\n").unwrap();
        fs::write(folder.join("b.conf"), "SecRequestBodyAccess On\nSecRuleEngine Off\n").unwrap();
        let wants = Wants::of_file(&folder.join("a.conf"));
        fs::remove_dir_all(&folder).unwrap();
        assert!(wants.request_body && !wants.response_body && !wants.may_block());
    }
}
