//! Passthroughs as their users see them: records, the first message of a connection, and a PROXY header in front of it.

use proptest::prelude::*;
use wick_tls::{ClientHello, MAX_NAME_BYTES, Passthrough, ProxyHeader, RecordError};

mod record {
    use super::*;

    fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
        let word = u32::from(tag) | (bytes.len() as u32) << 8;
        [&word.to_le_bytes(), bytes].concat()
    }

    #[test]
    fn connections_go_to_the_backend_that_it_names() {
        let record = field(3, &field(2, b"shop-db-443"));
        assert_eq!(Passthrough::decode(&record), Ok(Passthrough { backend: b"shop-db-443" }));
    }

    #[test]
    fn what_is_no_such_record_is_refused() {
        let refusal = |bytes: &[u8]| Passthrough::decode(bytes).err();
        assert_eq!(refusal(b""), Some(RecordError::Length));
        assert_eq!(refusal(b"\x02\0\0\0"), Some(RecordError::Version(2)));
        assert_eq!(refusal(&field(3, b"")), Some(RecordError::Missing));
        assert_eq!(refusal(&field(3, &field(2, b""))), Some(RecordError::Field));
        assert_eq!(refusal(&field(3, &field(2, &[b'b'; 254]))), Some(RecordError::Field));
        let whole = field(3, &field(2, b"shop-db-443"));
        for len in 1..whole.len() {
            assert_eq!(refusal(&whole[..len]), Some(RecordError::Length), "{len}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_name_a_backend(bytes: Vec<u8>) {
            let alike = field(3, &bytes);
            for bytes in [bytes, alike] {
                if let Ok(passthrough) = Passthrough::decode(&bytes) {
                    prop_assert!((1..=253).contains(&passthrough.backend.len()));
                }
            }
        }
    }
}

mod proxy_header {
    use super::*;

    const V1: &[u8] = b"PROXY TCP4 192.0.2.7 10.0.0.1 50000 443\r\n";

    fn v2(len: u16) -> Vec<u8> {
        let rest = vec![0; usize::from(len)];
        [b"\r\n\r\n\0\r\nQUIT\n\x21\x11", &len.to_be_bytes()[..], &rest].concat()
    }

    #[test]
    fn a_header_ends_where_it_says() {
        for header in [V1, b"PROXY UNKNOWN\r\n", &v2(12), &v2(0), &v2(4000)] {
            let followed = [header, b"\x16\x03\x01"].concat();
            assert_eq!(ProxyHeader::read(&followed), ProxyHeader::Whole(header.len()));
            for len in 0..header.len() {
                assert_eq!(ProxyHeader::read(&header[..len]), ProxyHeader::Partial);
            }
        }
    }

    #[test]
    fn anything_else_is_foreign() {
        for bytes in [&b"\x16\x03\x01"[..], b"GET / HTTP/1.1\r\n", b"\r\n\r\n\r\n", &[b'P'; 200]] {
            assert_eq!(ProxyHeader::read(bytes), ProxyHeader::Foreign);
        }
        let endless = [b"PROXY ", &[b'1'; 101][..]].concat();
        assert_eq!(ProxyHeader::read(&endless), ProxyHeader::Foreign);
        assert_eq!(ProxyHeader::read(&endless[..106]), ProxyHeader::Partial);
    }

    proptest! {
        #[test]
        fn more_bytes_never_change_what_is_known(bytes: Vec<u8>, more: Vec<u8>) {
            for start in [&b""[..], b"PROXY ", &v2(0)[..14]] {
                let bytes = [start, &bytes].concat();
                match ProxyHeader::read(&bytes) {
                    ProxyHeader::Partial => {}
                    known => prop_assert_eq!(ProxyHeader::read(&[&bytes[..], &more].concat()), known),
                }
            }
        }
    }
}

mod client_hello {
    use super::*;

    /// What is made of the bytes, with the name as text.
    #[derive(Debug, PartialEq, Eq)]
    enum Seen {
        Named(String),
        Nameless,
        Partial,
        Foreign,
    }

    fn read(bytes: &[u8]) -> Seen {
        match ClientHello::read(bytes, &mut [0; MAX_NAME_BYTES]) {
            ClientHello::Named(name) => Seen::Named(String::from_utf8(name.to_vec()).unwrap()),
            ClientHello::Nameless => Seen::Nameless,
            ClientHello::Partial => Seen::Partial,
            ClientHello::Foreign => Seen::Foreign,
        }
    }

    fn named(name: &str) -> Seen {
        Seen::Named(name.to_string())
    }

    /// Bytes behind their number, which has `N` bytes.
    fn vector<const N: usize>(bytes: &[u8]) -> Vec<u8> {
        [&bytes.len().to_be_bytes()[8 - N..], bytes].concat()
    }

    fn extension(kind: u16, content: &[u8]) -> Vec<u8> {
        [&kind.to_be_bytes(), &vector::<2>(content)[..]].concat()
    }

    fn server_names(names: &[&[u8]]) -> Vec<u8> {
        let names: Vec<u8> =
            names.iter().flat_map(|name| [&[0], &vector::<2>(name)[..]].concat()).collect();
        extension(0, &vector::<2>(&names))
    }

    /// GREASE, as browsers send it (RFC 8701).
    fn grease() -> Vec<u8> {
        extension(0x1a1a, b"\0")
    }

    /// The message, with these extensions.
    fn message(extensions: &[Vec<u8>]) -> Vec<u8> {
        hello(&vector::<2>(&extensions.concat()))
    }

    fn hello(tail: &[u8]) -> Vec<u8> {
        let body = [
            &b"\x03\x03"[..],
            &[7; 32],
            &vector::<1>(&[9; 32]),
            &vector::<2>(b"\x1a\x1a\x13\x01\xc0\x2f"),
            &vector::<1>(b"\0"),
            tail,
        ]
        .concat();
        [&[1], &vector::<3>(&body)[..]].concat()
    }

    fn records(message: &[u8], fragment_bytes: usize) -> Vec<u8> {
        message.chunks(fragment_bytes).flat_map(record).collect()
    }

    fn record(fragment: &[u8]) -> Vec<u8> {
        [b"\x16\x03\x01", &vector::<2>(fragment)[..]].concat()
    }

    fn for_name(name: &[u8]) -> Vec<u8> {
        records(
            &message(&[grease(), server_names(&[name]), extension(16, b"\0\x03\x02h2")]),
            1 << 14,
        )
    }

    #[test]
    fn the_name_is_found_however_the_message_is_cut() {
        let message =
            message(&[grease(), server_names(&[b"Db.Test"]), extension(43, b"\x02\x03\x04")]);
        for fragment_bytes in 1..=message.len() {
            assert_eq!(read(&records(&message, fragment_bytes)), named("db.test"));
        }
    }

    #[test]
    fn as_soon_as_the_name_is_there_it_is_known() {
        let bytes = for_name(b"db.test");
        let end = bytes.windows(7).position(|seven| seven == b"db.test").unwrap() + 7;
        for len in 0..end {
            assert_eq!(read(&bytes[..len]), Seen::Partial, "{len}");
        }
        for len in end..=bytes.len() {
            assert_eq!(read(&bytes[..len]), named("db.test"), "{len}");
        }
    }

    #[test]
    fn names_are_normalised() {
        assert_eq!(read(&for_name(b"DB.TEST.")), named("db.test"));
        let longest = "a".repeat(MAX_NAME_BYTES);
        assert_eq!(read(&for_name(longest.as_bytes())), named(&longest));
        assert_eq!(read(&for_name(format!("{longest}.").as_bytes())), named(&longest));
    }

    #[test]
    fn what_no_host_is_called_is_no_name() {
        let too_long = [b'a'; MAX_NAME_BYTES + 1];
        for name in
            [&b"."[..], b"db\0.test", "dß.test".as_bytes(), b"d b", &too_long, &[b'a'; 9000]]
        {
            assert_eq!(read(&for_name(name)), Seen::Nameless, "{}", name.escape_ascii());
        }
    }

    #[test]
    fn without_the_extension_there_is_no_name() {
        assert_eq!(read(&record(&message(&[grease()]))), Seen::Nameless);
        assert_eq!(read(&record(&message(&[]))), Seen::Nameless);
        assert_eq!(read(&record(&hello(b""))), Seen::Nameless);
    }

    #[test]
    fn a_list_of_other_than_one_name_is_foreign() {
        for names in [&[&b"db.test"[..], b"other.test"][..], &[], &[b""]] {
            let bytes = record(&message(&[server_names(names)]));
            assert_eq!(read(&bytes), Seen::Foreign, "{names:?}");
        }
        let of_another_type =
            extension(0, &vector::<2>(&[&[1], &vector::<2>(b"db.test")[..]].concat()));
        assert_eq!(read(&record(&message(&[of_another_type]))), Seen::Foreign);
    }

    #[test]
    fn what_does_not_begin_as_tls_is_foreign_at_its_first_byte() {
        for byte in (0..=255).filter(|byte| *byte != 22) {
            assert_eq!(read(&[byte]), Seen::Foreign);
        }
        assert_eq!(read(b"\x16\x02"), Seen::Foreign);
        assert_eq!(read(b"\x80\x2e\x01\0\x02\0\x15\0\0\0\x10"), Seen::Foreign); // SSL 2.0
        assert_eq!(read(b"\x16\x03\x01\0\x05\x02\0\0\x01\0"), Seen::Foreign); // a ServerHello
        assert_eq!(read(b"\x16\x03\x01\x40\x01"), Seen::Foreign); // a record that is too long
    }

    #[test]
    fn empty_records_are_passed_over_and_others_end_it() {
        let message = message(&[server_names(&[b"db.test"])]);
        let (first, second) = message.split_at(20);
        let with = |between: &[u8]| [&record(first)[..], between, &record(second)].concat();
        assert_eq!(read(&with(&record(b""))), named("db.test"));
        assert_eq!(read(&with(b"\x15\x03\x01\0\x02\x01\0")), Seen::Foreign); // an alert
    }

    #[test]
    fn lengths_that_lie_are_foreign() {
        let good = message(&[grease(), server_names(&[b"db.test"])]);
        let lie = |at: usize, by: i8| {
            let mut bytes = good.clone();
            bytes[at] = bytes[at].wrapping_add_signed(by);
            read(&record(&bytes))
        };
        let ciphers = 4 + 2 + 32 + 1 + 32;
        let extensions = ciphers + 2 + 6 + 2;
        let name = extensions + 2 + grease().len();
        assert_eq!(lie(3, -1), Seen::Foreign); // the message's
        for at in [extensions + 1, name + 3, name + 5, name + 8] {
            assert_eq!((at, lie(at, 1)), (at, Seen::Foreign));
            assert_eq!((at, lie(at, -1)), (at, Seen::Foreign));
        }
        assert_eq!(lie(ciphers, 127), Seen::Foreign);
        assert_eq!(lie(4 + 2 + 32, 127), Seen::Foreign);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

        #[test]
        fn any_bytes_come_to_something(bytes: Vec<u8>, fragment_bytes in 1..40_usize) {
            read(&bytes);
            read(&record(&bytes));
            read(&records(&hello(&bytes), fragment_bytes));
            read(&records(&message(&[bytes]), fragment_bytes));
        }

        #[test]
        fn more_bytes_never_change_what_is_known(
            name in "[a-z.\0]{0,300}",
            fragment_bytes in 1..400_usize,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
            cut: prop::sample::Index,
        ) {
            let mut message = message(&[grease(), server_names(&[name.as_bytes()]), grease()]);
            for (at, byte) in changes {
                *at.get_mut(&mut message) = byte;
            }
            let bytes = records(&message, fragment_bytes);
            match read(&bytes[..cut.index(bytes.len())]) {
                Seen::Partial => {}
                known => prop_assert_eq!(read(&bytes), known),
            }
        }

        #[test]
        fn how_records_are_cut_makes_no_difference(
            extensions in prop::collection::vec((0..4_u16, prop::collection::vec(any::<u8>(), 0..12)), 0..4),
            fragment_bytes in 1..60_usize,
        ) {
            let extensions: Vec<_> = extensions.iter().map(|(kind, content)| extension(*kind, content)).collect();
            let message = message(&extensions);
            prop_assert_eq!(read(&records(&message, fragment_bytes)), read(&record(&message)));
        }
    }

    /// `WICK_FUZZ_CASES` takes the place of proptest's own number.
    fn cases() -> u32 {
        let given = std::env::var("WICK_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok());
        given.unwrap_or(256)
    }
}
