//! Patterns of routes: compiled while nginx serves, matched against whole paths, at a price that has an end.

use std::cell::Cell;
use std::ffi::c_void;
use std::fmt;
use std::ptr::{NonNull, null, null_mut};

use crate::pcre;

/// The groups of a match that are kept: those that a template can name by their numbers, further ones by their names, and the whole match.
pub(crate) const GROUPS: usize = 32;

/// A compiled pattern.
pub struct Pattern {
    code: NonNull<pcre::Code>,
    form: Cell<Form>,
}

/// How a pattern is matched. Interpreting takes about five times as long, a hundred times where much of a long path has
/// to be looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Not asked for anything better yet.
    Compiled,
    MachineCode,
    /// For good: the system does not allow machine code, or PCRE cannot make it of this pattern.
    Interpreted,
}

/// Why a text is no pattern: PCRE's own words and where it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    message: String,
    /// Bytes into the pattern.
    offset: usize,
}

/// A match that reached one of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

impl Pattern {
    /// Compiles what nginx would for `location ~* "^PATTERN"`: it matches at the start of a path, whatever the case of
    /// ASCII letters. Of alternatives that are in no group, `/a|/b`, only the first is bound to the start, as in
    /// ingress-nginx. Takes some microseconds.
    pub fn compile(pattern: &[u8]) -> Result<Pattern, BadPattern> {
        Self::of_search(b"^", pattern, pcre::CASELESS)
    }

    /// Compiles what nginx would for `location ~ "PATTERN"`, or `~*` if any case will do: it matches anywhere in a subject. What is no pattern for
    /// [`Pattern::compile`] is none here.
    pub fn compile_anywhere(pattern: &[u8], any_case: bool) -> Result<Pattern, BadPattern> {
        Self::of_search(b"", pattern, if any_case { pcre::CASELESS } else { 0 })
    }

    fn of_search(before: &[u8], pattern: &[u8], options: u32) -> Result<Pattern, BadPattern> {
        let compiled = Self::of(before, pattern, b"", options)?;
        if compiled.is_anchored() {
            return Ok(compiled);
        }
        // PCRE counts its steps anew at each place where a match may begin. So the search for that place becomes part of the
        // pattern, where all of it counts as one.
        let search = [br"\A(?s:.*?)(?:", before].concat();
        Self::of(&search, pattern, b")", options)
    }

    /// Compiles a pattern that matches all of a subject, or nothing, with regard to case. What is no pattern for [`Pattern::compile`] is none
    /// here.
    pub fn compile_whole(pattern: &[u8]) -> Result<Pattern, BadPattern> {
        Self::of(b"^", pattern, b"", pcre::ANCHORED | pcre::ENDANCHORED)
    }

    /// The groups that have names, as many as are kept of a match.
    pub fn names(&self) -> impl Iterator<Item = (&[u8], u8)> {
        let number = |what| {
            let mut number = 0u32;
            // SAFETY: a live pattern; this information is a u32.
            unsafe { pcre::pattern_info(self.code.as_ptr(), what, (&raw mut number).cast()) };
            number as usize
        };
        let (count, bytes) = (number(pcre::INFO_NAMECOUNT), number(pcre::INFO_NAMEENTRYSIZE));
        let mut table: *const u8 = null();
        // SAFETY: a live pattern, whose table has so many entries of so many bytes and lives as long; an empty one is not looked at.
        let table = unsafe {
            pcre::pattern_info(self.code.as_ptr(), pcre::INFO_NAMETABLE, (&raw mut table).cast());
            if count == 0 { &[][..] } else { std::slice::from_raw_parts(table, count * bytes) }
        };
        // Two bytes of the group's number, and the name with a zero at its end.
        table.chunks_exact(bytes.max(1)).filter_map(|entry| {
            let number = u16::from_be_bytes([entry[0], entry[1]]);
            let name = entry[2..].split(|byte| *byte == 0).next()?;
            u8::try_from(number).ok().filter(|n| usize::from(*n) < GROUPS).map(|n| (name, n))
        })
    }

    /// Makes machine code of it where that is possible, which takes about 10 µs. False: that was tried before.
    pub fn translate(&self) -> bool {
        if self.form.get() != Form::Compiled {
            return false;
        }
        // SAFETY: a live pattern that nobody is matching.
        let rc = unsafe { pcre::jit_compile(self.code.as_ptr(), pcre::JIT_COMPLETE) };
        self.form.set(if rc == 0 { Form::MachineCode } else { Form::Interpreted });
        true
    }

    fn of(
        before: &[u8],
        pattern: &[u8],
        behind: &[u8],
        options: u32,
    ) -> Result<Pattern, BadPattern> {
        let text = [before, pattern, behind].concat();
        let (mut error, mut offset) = (0, 0);
        // SAFETY: the text is read during the call only; no context means the library's defaults.
        let code = unsafe {
            let (error, offset) = (&raw mut error, &raw mut offset);
            pcre::compile(text.as_ptr(), text.len(), options, error, offset, null_mut())
        };
        match NonNull::new(code) {
            Some(code) => Ok(Pattern { code, form: Cell::new(Form::Compiled) }),
            None => {
                let offset = offset.saturating_sub(before.len()).min(pattern.len());
                Err(BadPattern { message: message(error), offset })
            }
        }
    }

    /// A match can begin at the start only.
    fn is_anchored(&self) -> bool {
        let mut options: u32 = 0;
        // SAFETY: a live pattern; this information is a u32.
        unsafe {
            let to = (&raw mut options).cast::<c_void>();
            pcre::pattern_info(self.code.as_ptr(), pcre::INFO_ALLOPTIONS, to);
        }
        options & pcre::ANCHORED != 0
    }
}

impl Drop for Pattern {
    fn drop(&mut self) {
        // SAFETY: ours alone.
        unsafe { pcre::code_free(self.code.as_ptr()) };
    }
}

fn message(error: i32) -> String {
    let mut text = [0u8; 256];
    // SAFETY: as much room as is told.
    let len = unsafe { pcre::get_error_message(error, text.as_mut_ptr(), text.len()) };
    String::from_utf8_lossy(&text[..usize::try_from(len).unwrap_or(0)]).into_owned()
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.offset)
    }
}

impl std::error::Error for BadPattern {}

/// Most memory (KiB) for the places that an interpreted match may have to come back to; it is kept for the next one.
const HEAP_KILOBYTES: u32 = 4096;
/// The same for machine code, in bytes, of which it begins with the first.
const STACK_BYTES: [usize; 2] = [32 << 10, 1 << 20];

/// What matching needs besides patterns; one per worker. Keeps the groups of the latest match.
pub struct Matcher {
    context: NonNull<pcre::MatchContext>,
    data: NonNull<pcre::MatchData>,
    /// `None`: machine code has the 32 KiB of the process's own stack that PCRE takes then.
    stack: Option<NonNull<pcre::JitStack>>,
    /// How many groups the latest match has set; PCRE leaves the others as they were.
    groups: usize,
}

impl Matcher {
    /// `None`: out of memory.
    pub fn new() -> Option<Matcher> {
        // SAFETY: without a context memory comes from malloc; the stack lives as long as the context it is assigned to.
        unsafe {
            let context = NonNull::new(pcre::match_context_create(null_mut()))?;
            let Some(data) = NonNull::new(pcre::match_data_create(GROUPS as u32, null_mut()))
            else {
                pcre::match_context_free(context.as_ptr());
                return None;
            };
            let [start, max] = STACK_BYTES;
            let stack = NonNull::new(pcre::jit_stack_create(start, max, null_mut()));
            let assigned = stack.map_or(null_mut(), NonNull::as_ptr);
            pcre::jit_stack_assign(context.as_ptr(), null(), assigned);
            pcre::set_heap_limit(context.as_ptr(), HEAP_KILOBYTES);
            Some(Matcher { context, data, stack, groups: 0 })
        }
    }

    /// Whether `pattern` matches `subject`.
    /// # Errors
    /// The match takes more steps than are good for all other requests, or too much memory.
    pub fn is_match(&mut self, pattern: &Pattern, subject: &[u8]) -> Result<bool, GaveUp> {
        let (code, context, data) =
            (pattern.code.as_ptr(), self.context.as_ptr(), self.data.as_ptr());
        let is_machine_code = pattern.form.get() == Form::MachineCode;
        let exec = if is_machine_code { pcre::jit_exec } else { pcre::exec };
        // SAFETY: all live; the subject is only read, and during the call.
        let rc = unsafe {
            pcre::set_match_limit(context, max_steps(subject.len(), is_machine_code));
            exec(code, subject.as_ptr(), subject.len(), 0, 0, data, context)
        };
        self.groups = match rc {
            0 => GROUPS, // the pattern has more than are kept
            rc => usize::try_from(rc).unwrap_or(0),
        };
        match rc {
            0.. => Ok(true),
            pcre::ERROR_NOMATCH => Ok(false),
            _ => Err(GaveUp),
        }
    }

    /// Where groups begin and end in what the latest match was asked about, the whole match first; of one that took no part nowhere
    /// (`usize::MAX`).
    pub fn offsets(&self) -> &[[usize; 2]] {
        // SAFETY: the data has GROUPS pairs of offsets, of which the latest match has set the first ones.
        unsafe {
            let first = pcre::get_ovector_pointer(self.data.as_ptr()).cast::<[usize; 2]>();
            std::slice::from_raw_parts(first, self.groups)
        }
    }

    /// What group `n` (0 is all) matched in `subject`, when that is what the latest match was asked about.
    /// `None`: the pattern has no such group, or it took no part.
    pub fn group<'s>(&self, n: u8, subject: &'s [u8]) -> Option<&'s [u8]> {
        // A group without part has offsets that are in no subject.
        let [start, end] = *self.offsets().get(usize::from(n))?;
        subject.get(start..end)
    }
}

impl Drop for Matcher {
    fn drop(&mut self) {
        // SAFETY: ours alone; the context goes before the stack that it points to.
        unsafe {
            pcre::match_context_free(self.context.as_ptr());
            pcre::match_data_free(self.data.as_ptr());
            if let Some(stack) = self.stack {
                pcre::jit_stack_free(stack.as_ptr());
            }
        }
    }
}

/// How many steps a match may take. Two per byte are what ordinary patterns need, those that go back through the subject
/// once; where subjects are short there is room for some that go back again and again. A step takes 4 ns, but may look at
/// the rest of the subject: then these limits are 5 ms for subjects of up to 2 KiB, and ten times that for 8 KiB.
fn max_steps(subject_bytes: usize, is_machine_code: bool) -> u32 {
    const MIN: usize = 4_000;
    const MAX_LOOKS: usize = 10_000_000;
    let per_byte = if is_machine_code { 2 } else { 4 };
    let short = (MAX_LOOKS / subject_bytes.max(1)).min(100_000);
    u32::try_from(MIN + short.max(per_byte * subject_bytes)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use wick_routes::{Asks, Condition, HostRoutes, Route};

    use super::*;
    use crate::cpu;

    fn compiled(pattern: &str) -> Pattern {
        Pattern::compile(pattern.as_bytes()).unwrap()
    }

    fn translated(pattern: &str) -> Pattern {
        let pattern = compiled(pattern);
        assert!(pattern.translate() && !pattern.translate());
        assert_eq!(pattern.form.get(), Form::MachineCode);
        pattern
    }

    fn matches(pattern: &str, subject: &[u8]) -> Result<bool, GaveUp> {
        let mut matcher = Matcher::new().unwrap();
        matcher.is_match(&translated(pattern), subject)
    }

    #[track_caller]
    fn expect(pattern: &str, yes: &[&str], no: &[&str]) {
        let mut matcher = Matcher::new().unwrap();
        for pattern in [&compiled(pattern), &translated(pattern)] {
            for (subjects, answer) in [(yes, true), (no, false)] {
                for subject in subjects {
                    assert_eq!(
                        matcher.is_match(pattern, subject.as_bytes()),
                        Ok(answer),
                        "{subject}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_pattern_matches_at_the_start_whatever_the_case() {
        expect("/cart", &["/cart", "/CART/1", "/cartoon"], &["/", "/a/cart", "cart", ""]);
        expect("/id/[0-9]+$", &["/id/1", "/ID/12"], &["/id/1a", "/id/"]);
        expect("/ä", &["/ä"], &["/Ä", "/a"]);
    }

    #[test]
    fn of_bare_alternatives_only_the_first_is_bound_to_the_start() {
        expect("/a|/b", &["/a", "/b", "/x/b"], &["/x/a", "/x"]);
        expect("/(a|b)", &["/a", "/b"], &["/x/b", "/x/a"]);
    }

    #[test]
    fn a_whole_pattern_matches_from_end_to_end_and_knows_case() {
        let mut matcher = Matcher::new().unwrap();
        for (pattern, yes, no) in [
            ("v[0-9]+", &["v1", "v22"][..], &["V1", "v", "v1x", "xv1", "v1\n", ""][..]),
            ("a|b", &["a", "b"], &["ab", "xb", "ax"]),
            ("a|ab", &["a", "ab"], &["abb"]),
            ("(?i)x", &["x", "X"], &["xx"]),
            (".*", &["", "abc"], &["a\nb"]),
            ("", &[""], &["a"]),
        ] {
            let [plain, code] = [0, 1].map(|_| Pattern::compile_whole(pattern.as_bytes()).unwrap());
            assert!(code.translate());
            for form in [&plain, &code] {
                for (subjects, answer) in [(yes, true), (no, false)] {
                    for subject in subjects {
                        let found = matcher.is_match(form, subject.as_bytes());
                        assert_eq!(found, Ok(answer), "{pattern} {subject}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_whole_pattern_has_an_end_too() {
        let subject = format!("{}=!", "a".repeat(8000));
        for pattern in ["(a+)+", "(a|aa)+", "(.*)(.*)(.*)=", "(([a-z])+.)+[A-Z]([a-z])+"] {
            let pattern = Pattern::compile_whole(pattern.as_bytes()).unwrap();
            assert!(pattern.translate());
            let found = Matcher::new().unwrap().is_match(&pattern, subject.as_bytes());
            assert_eq!(found, Err(GaveUp));
        }
        assert!(Pattern::compile_whole(b"a)|(b").is_err());
        assert!(Pattern::compile_whole(b"(*UTF)a").is_err());
    }

    #[test]
    fn groups_are_parts_of_the_subject() {
        let mut matcher = Matcher::new().unwrap();
        let many = Pattern::compile(&[&b"/(a)(b)?"[..], &b"(c)".repeat(30)].concat()).unwrap();
        let subject = &[&b"/a"[..], &b"c".repeat(30)].concat()[..];
        assert_eq!(matcher.is_match(&many, subject), Ok(true));
        assert_eq!(matcher.group(0, subject), Some(subject));
        assert_eq!(matcher.group(1, subject), Some(&b"a"[..]));
        assert_eq!(matcher.group(2, subject), None);
        assert_eq!(matcher.group(31, subject), Some(&b"c"[..]));
        assert_eq!(matcher.group(32, subject), None);

        // Nothing of an earlier match remains.
        let one = Pattern::compile(b"/(x)(y)?").unwrap();
        assert_eq!(matcher.is_match(&one, b"/x"), Ok(true));
        assert_eq!([1, 2, 3].map(|n| matcher.group(n, b"/x")), [Some(&b"x"[..]), None, None]);
        assert_eq!(matcher.is_match(&one, b"/y"), Ok(false));
        assert_eq!([0, 1].map(|n| matcher.group(n, b"/y")), [None, None]);
    }

    #[test]
    fn a_pattern_may_match_anywhere() {
        let mut matcher = Matcher::new().unwrap();
        for (pattern, any_case, subject, first) in [
            ("b(.)", false, "abcb", Some("c")),
            ("B(.)", false, "abc", None),
            ("B(.)", true, "abc", Some("c")),
            ("^a(.*)$", false, "ab", Some("b")),
            ("x|b(.)", false, "abc", Some("c")),
        ] {
            let pattern = Pattern::compile_anywhere(pattern.as_bytes(), any_case).unwrap();
            let is_match = matcher.is_match(&pattern, subject.as_bytes());
            assert_eq!(is_match, Ok(first.is_some()));
            assert_eq!(matcher.group(1, subject.as_bytes()), first.map(str::as_bytes));
        }
        assert!(Pattern::compile_anywhere(b"a)|(b", false).is_err());
        let slow = Pattern::compile_anywhere(b"(a|aa)+$", false).unwrap();
        let subject = format!("{}!", "a".repeat(8000));
        assert_eq!(matcher.is_match(&slow, subject.as_bytes()), Err(GaveUp));
    }

    #[test]
    fn groups_have_names() {
        let names = |pattern: &str| {
            let pattern = Pattern::compile_anywhere(pattern.as_bytes(), false).unwrap();
            let name = |(name, n): (&[u8], u8)| (String::from_utf8(name.into()).unwrap(), n);
            pattern.names().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names("a(b)c"), []);
        assert_eq!(names("/(x)(?<lang>..)/(?<r>.*)"), [("lang".into(), 2), ("r".into(), 3)]);
        assert_eq!(names(&format!("{}(?<far>x)", "(a)".repeat(31))), []);
    }

    #[test]
    fn any_bytes_are_a_subject() {
        expect("/(.*)", &["/a\0b", "/a\nb"], &[]);
        assert_eq!(matches("/[\\x80-\\xff]+$", b"/\xff\xfe"), Ok(true));
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_the_place() {
        let why = |pattern: &[u8]| Pattern::compile(pattern).map(drop).unwrap_err().to_string();
        assert_eq!(why(b"/a(b"), "missing closing parenthesis at byte 4");
        assert_eq!(why(b"/a)b"), "unmatched closing parenthesis at byte 2");
        assert_eq!(why(b"/[z-a]"), "range out of order in character class at byte 4");
        assert_eq!(why(b"/a|b)"), "unmatched closing parenthesis at byte 4");
        assert!(!why(&[&b"/"[..], &b"(".repeat(4000)].concat()).is_empty());
    }

    #[test]
    fn patterns_made_to_be_slow_come_to_an_end() {
        let path = |unit: &str| format!("/{}=!", unit.repeat(8000 / unit.len()));
        for pattern in ["/(a+)+$", "/(a|aa)+$", "/(.*)(.*)(.*)=$", "/(([a-z])+.)+[A-Z]([a-z])+$"] {
            assert_eq!(matches(pattern, path("a").as_bytes()), Err(GaveUp), "{pattern}");
        }
        for unit in ["a", "a/", "aab/"] {
            let start = cpu::time();
            let _ = matches(
                r"/(?:(?=(?=[^=!]a+(?:a|b)|\1*.?[^=!]*){2,9})*+.?|(a))*+=",
                path(unit).as_bytes(),
            );
            assert!(cpu::time() - start < Duration::from_millis(500), "{unit}");
        }
    }

    #[test]
    fn ordinary_patterns_match_long_paths() {
        let (flat, deep) =
            (format!("/x/{}", "a".repeat(8000)), format!("/x/{}", "ab/".repeat(2667)));
        for path in [&flat, &deep] {
            let found = |pattern: &str| matches(pattern, path.as_bytes());
            for pattern in ["/x(/|$)(.*)", "/(.*)", "/((?!api|admin).)*$", "/(.|x)*$", "/x(/.*)?$"]
            {
                assert_eq!(found(pattern), Ok(true), "{pattern}");
            }
            for pattern in ["/(.*)/edit$", "/x/(.*)\\.(js|css|png)$", "/(([^/]+)/)*edit$"] {
                assert_eq!(found(pattern), Ok(false), "{pattern}");
            }
        }
    }

    #[test]
    fn interpreted_patterns_have_limits_too() {
        let mut matcher = Matcher::new().unwrap();
        let path = format!("/{}/edit!", "a".repeat(8000));
        assert_eq!(matcher.is_match(&compiled("/(.*)/edit$"), path.as_bytes()), Ok(false));
        assert_eq!(matcher.is_match(&compiled("/(.|x)*$"), path.as_bytes()), Ok(true));
        assert_eq!(matcher.is_match(&compiled("/(a+)+$"), path.as_bytes()), Err(GaveUp));
    }

    /// The record of a host with one route (docs/wire.md 2).
    fn record(pattern: &[u8]) -> Vec<u8> {
        let field = |id: u32, bytes: &[u8]| {
            [&(id | (bytes.len() as u32) << 8).to_le_bytes()[..], bytes].concat()
        };
        let route = [field(1, pattern), field(2, &[2]), field(3, b"p"), field(4, b"b")].concat();
        field(3, &field(6, &route))
    }

    /// The same answer about each pattern.
    struct Always(Result<bool, GaveUp>);

    impl Asks for Always {
        type Error = GaveUp;

        fn is_match(&mut self, _: usize, _: usize, _: &Route) -> Result<bool, GaveUp> {
            self.0
        }

        fn meets(&mut self, _: usize, _: usize, _: &[Condition]) -> Result<bool, GaveUp> {
            Ok(true)
        }
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "a",
            "b",
            "A",
            "/",
            ".",
            "*",
            "+",
            "?",
            "{0,2}",
            "{",
            "(",
            "(a|",
            ")",
            ")",
            "|",
            "|/b",
            "[",
            "[(]",
            "[^)]",
            "]",
            "[]|]",
            "[[:alpha:](]",
            "\\(",
            "\\)",
            "\\|",
            "\\[",
            "\\Q(",
            "\\E",
            "\\c(",
            "(?x)",
            "#(",
            "\n",
            "(?#(",
            "(?#)",
            "(?:",
            "(?=a",
            "(?i)",
            "^",
            "$",
            "(*COMMIT)",
            "(?C\"(\")",
            "é",
            "\\",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 50_000, failure_persistence: None, ..Default::default() })]

        /// What wick-routes compares before it asks must not hide a match.
        #[test]
        fn no_match_is_hidden_by_what_a_pattern_begins_with(
            pattern in prop::collection::vec(piece(), 0..8),
            path in "/[abA/|()]{0,6}",
        ) {
            let text = format!("/{}", pattern.concat());
            let Ok(pattern) = Pattern::compile(text.as_bytes()) else { return Ok(()) };
            let matches = Matcher::new().unwrap().is_match(&pattern, path.as_bytes());
            let host = HostRoutes::decode(b"a.test", &record(text.as_bytes())).unwrap();
            let found = host.find(path.as_bytes(), &mut Always(matches));
            prop_assert_eq!(found.map(|found| found.is_some()), matches, "{} {}", text, path);
        }
    }
}
