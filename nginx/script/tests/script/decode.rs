//! Records of scripts.

use wick_script::{End, Script};
use wick_wire::{RecordError, step};

use crate::fake::Fake;

fn field(id: u8, value: &[u8]) -> Vec<u8> {
    let word = u32::from(id | 0x80) | (value.len() as u32) << 8;
    [&word.to_le_bytes()[..], value].concat()
}

fn of(steps: &[&[(u8, &[u8])]]) -> Vec<u8> {
    let step = |fields: &&[(u8, &[u8])]| {
        let fields: Vec<u8> = fields.iter().flat_map(|(id, value)| field(*id, value)).collect();
        field(1, &fields)
    };
    steps.iter().flat_map(step).collect()
}

#[test]
fn a_record_is_read() {
    let record = of(&[
        &[(step::OP, &[2]), (step::VALUE, b"$http_x"), (step::TEST, &[1]), (step::SKIP, &[1, 0])],
        &[(step::OP, &[4]), (step::CODE, &403u16.to_le_bytes())],
        &[
            (step::OP, &[3]),
            (step::PATTERN, b"/a"),
            (step::VALUE, b"/b"),
            (step::FLAG, &[2]),
            (step::DROPS_ARGS, &[1]),
        ],
    ]);
    let script = Script::read(&record).unwrap();
    assert_eq!(Fake::new(&script, "/a?q").run(), Ok(End::Again));
    let mut refused = Fake::new(&script, "/a?q").with("http_x", "1");
    assert_eq!(refused.run(), Ok(End::Return { code: 403, text: None }));
}

#[test]
fn what_is_not_known_closes_it() {
    for (steps, error) in [
        (&[(step::OP, &[9][..])][..], RecordError::Critical(step::OP)),
        (&[(step::OP, &[5]), (99, b"")], RecordError::Critical(99)),
        (
            &[(step::OP, &[2]), (step::VALUE, b""), (step::TEST, &[8])],
            RecordError::Critical(step::TEST),
        ),
        (
            &[(step::OP, &[3]), (step::VALUE, b""), (step::FLAG, &[9])],
            RecordError::Critical(step::FLAG),
        ),
        (&[(step::OP, &[4])], RecordError::Missing),
        (&[(step::OP, &[1]), (step::VALUE, b"")], RecordError::Missing),
        (&[(step::OP, &[1]), (step::VALUE, b""), (step::NAME, b"a-b")], RecordError::Field),
        (
            &[(step::OP, &[4]), (step::CODE, &[200, 0]), (step::VALUE, b"/"), (step::IS_URL, &[1])],
            RecordError::Field,
        ),
        (
            &[(step::OP, &[2]), (step::VALUE, b""), (step::TEST, &[1]), (step::SKIP, &[1, 0])],
            RecordError::Field,
        ),
    ] {
        assert_eq!(Script::read(&of(&[steps])), Err(error), "{steps:?}");
    }
    assert_eq!(Script::read(&field(3, b"")), Err(RecordError::Critical(3)));
}
