//! Sizes of a proxied response's buffers that fit together. nginx derives some from others, and refuses what does not fit,
//! when it reads its configuration; for a route's own numbers this is done here.

use crate::overrides::Overrides;

/// As nginx has them in force; bytes, but for `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffers {
    /// `proxy_buffer_size`: the response's head must fit into it.
    pub first: usize,
    /// `proxy_buffers`: how many, and of which size.
    pub number: usize,
    pub size: usize,
    /// `proxy_busy_buffers_size`.
    pub busy: usize,
    /// `proxy_temp_file_write_size`.
    pub file_write: usize,
    /// `proxy_max_temp_file_size`; 0 means no file.
    pub max_file: usize,
}

/// What a named location sets itself of the numbers that otherwise follow from the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    pub busy: Option<usize>,
    pub file_write: Option<usize>,
}

impl Buffers {
    /// These with the numbers of a route in force, made to fit (ngx_http_proxy_merge_loc_conf).
    #[must_use]
    pub fn with(self, own: Own, overrides: &Overrides) -> Buffers {
        let bytes = overrides.proxy_buffer_size_bytes.map(|bytes| bytes as usize);
        let (first, size) = (bytes.unwrap_or(self.first), bytes.unwrap_or(self.size));
        let largest = first.max(size);
        // What is busy is at least one buffer of either kind, and always leaves one to read into.
        let wanted = overrides.proxy_buffers_number.map_or(self.number, |number| number as usize);
        let number = wanted.max(1 + largest.div_ceil(size));
        let busy = overrides.proxy_busy_buffers_size_bytes.map(|bytes| bytes as usize).or(own.busy);
        let max_file =
            overrides.proxy_max_temp_file_size_bytes.map_or(self.max_file, |bytes| bytes as usize);
        Buffers {
            first,
            number,
            size,
            busy: busy.unwrap_or(2 * largest).clamp(largest, (number - 1).saturating_mul(size)),
            file_write: own.file_write.unwrap_or(2 * largest).max(largest),
            max_file: if max_file == 0 { 0 } else { max_file.max(largest) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEFAULT: Buffers = Buffers {
        first: 4096,
        number: 8,
        size: 4096,
        busy: 8192,
        file_write: 8192,
        max_file: 1 << 30,
    };

    fn with(overrides: Overrides) -> Buffers {
        DEFAULT.with(Own::default(), &overrides)
    }

    #[test]
    fn without_numbers_they_stay_as_nginx_derived_them() {
        assert_eq!(with(Overrides::default()), DEFAULT);
    }

    #[test]
    fn one_size_holds_for_all_buffers_and_the_others_follow() {
        let large =
            with(Overrides { proxy_buffer_size_bytes: Some(16 << 10), ..Default::default() });
        assert_eq!((large.first, large.size, large.number), (16 << 10, 16 << 10, 8));
        assert_eq!((large.busy, large.file_write), (32 << 10, 32 << 10));
    }

    #[test]
    fn what_nginx_would_refuse_is_made_to_fit() {
        let few = with(Overrides { proxy_buffers_number: Some(1), ..Default::default() });
        assert_eq!((few.number, few.busy), (2, 4096));
        let busy = |bytes| {
            with(Overrides { proxy_busy_buffers_size_bytes: Some(bytes), ..Default::default() })
                .busy
        };
        assert_eq!([busy(1), busy(10_000), busy(1 << 20)], [4096, 10_000, 7 * 4096]);
        let file = |bytes| {
            with(Overrides { proxy_max_temp_file_size_bytes: Some(bytes), ..Default::default() })
                .max_file
        };
        assert_eq!([file(0), file(1), file(1 << 20)], [0, 4096, 1 << 20]);
    }

    #[test]
    fn what_the_location_sets_itself_holds_unless_the_route_says_otherwise() {
        let own = Own { busy: Some(12_000), file_write: Some(64 << 10) };
        let both = |proxy_busy_buffers_size_bytes| {
            DEFAULT.with(own, &Overrides { proxy_busy_buffers_size_bytes, ..Default::default() })
        };
        assert_eq!((both(None).busy, both(None).file_write), (12_000, 64 << 10));
        assert_eq!(both(Some(9000)).busy, 9000);
    }

    fn size() -> impl Strategy<Value = u32> {
        prop_oneof![1u32..100, 1u32..100_000, Just(0x7fff_ffff)]
    }

    proptest! {
        /// The checks of ngx_http_proxy_merge_loc_conf.
        #[test]
        fn any_numbers_pass_nginxs_own_checks(
            (first, size, number) in (size(), size(), 2u32..100),
            own in (proptest::option::of(size()), proptest::option::of(size())),
            numbers in proptest::array::uniform4(proptest::option::of(size())),
        ) {
            let location = Buffers {
                first: first as usize, size: size as usize, number: number as usize, ..DEFAULT
            };
            let own = Own { busy: own.0.map(|n| n as usize), file_write: own.1.map(|n| n as usize) };
            let overrides = Overrides {
                proxy_buffer_size_bytes: numbers[0],
                proxy_buffers_number: numbers[1],
                proxy_busy_buffers_size_bytes: numbers[2],
                proxy_max_temp_file_size_bytes: numbers[3].map(u64::from),
                ..Default::default()
            };
            let now = location.with(own, &overrides);
            let largest = now.first.max(now.size);
            prop_assert!(now.number >= 2);
            prop_assert!(now.busy >= largest && now.busy <= (now.number - 1) * now.size);
            prop_assert!(now.file_write >= largest);
            prop_assert!(now.max_file == 0 || now.max_file >= largest);
        }
    }
}
