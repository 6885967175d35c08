//! No script runs longer than it is.

use proptest::prelude::*;
use wick_script::{Directive, Flag, Level, Script, Test};

use crate::fake::Fake;

/// As many calls as one step may make: its value has so many parts, and a pattern, two texts and a path come to that.
const CALLS_PER_STEP: usize = 16;

fn step() -> impl Strategy<Value = Directive<'static>> {
    let text = || {
        prop_oneof![
            "[a/?%$]{0,6}",
            Just("$x$1".into()),
            Just("/$x?$args".into()),
            Just("$uri".into())
        ]
        .prop_map(|text: String| -> &'static [u8] { text.leak().as_bytes() })
    };
    let test = prop_oneof![
        Just(Test::Filled),
        text().prop_map(Test::Equal),
        (text(), any::<bool>()).prop_map(|(pattern, any_case)| Test::Match { pattern, any_case }),
    ];
    let flag =
        prop_oneof![Just(Flag::None), Just(Flag::Last), Just(Flag::Break), Just(Flag::Permanent)];
    prop_oneof![
        4 => text().prop_map(|value| Directive::Set { name: b"x", value }),
        4 => (text(), test, 0u16..6).prop_map(|(value, test, skip)| {
            Directive::If { value, test, skip, level: None }
        }),
        2 => (text(), text(), flag, any::<bool>()).prop_map(|(pattern, value, flag, drops_args)| {
            Directive::Rewrite { pattern, value, flag, drops_args }
        }),
        1 => (0u16..1000, proptest::option::of(text()))
            .prop_map(|(code, value)| Directive::Return { code, value }),
        1 => Just(Directive::Break),
    ]
}

proptest! {
    #[test]
    fn every_step_is_run_once_at_most(steps in proptest::collection::vec(step(), 0..40)) {
        // Where a body would reach behind the end there is no script.
        let Ok(script) = Script::new(&steps, vec![]) else { return Ok(()) };
        let mut request = Fake::new(&script, "/a/b?c=d");
        request.has_escapes = true;
        let _ = request.run();
        prop_assert!(request.calls <= script.len() * CALLS_PER_STEP);
    }

    #[test]
    fn any_bytes_are_a_script_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(script) = Script::read(&bytes) {
            let _ = Fake::new(&script, "/").run();
        }
    }
}

#[test]
fn a_step_leads_to_what_is_there() {
    let read = |steps: &[_], levels| Script::new(steps, vec![Level::default(); levels]);
    let step = |skip, level| [Directive::If { value: b"1", test: Test::Filled, skip, level }];
    assert!(read(&step(1, None), 0).is_err());
    assert!(read(&step(0, Some(1)), 1).is_err());
    assert!(read(&step(0, Some(1)), 2).is_ok());
    assert!(read(&[Directive::Break; 256], 64).is_ok());
    assert!(read(&[Directive::Break; 257], 0).is_err());
    assert!(read(&[], 65).is_err());
}
