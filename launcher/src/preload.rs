//! `LD_PRELOAD` of those who come from ingress-nginx names an allocator that its image had and ours has not. The loader would complain of it
//! in every process.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Those libraries of a list that are there. A name without a slash is for the loader to find.
pub fn existing(list: &OsStr) -> OsString {
    let is_there = |name: &&OsStr| !name.as_bytes().contains(&b'/') || Path::new(name).exists();
    // Source: ld.so(8): separated by spaces or colons.
    let names = list.as_bytes().split(|&byte| byte == b' ' || byte == b':').map(OsStr::from_bytes);
    names.filter(|name| !name.is_empty()).filter(is_there).collect::<Vec<_>>().join(OsStr::new(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_left_out() {
        let of = |list: &str| existing(OsStr::new(list));
        assert_eq!(of("/usr/local/lib/libmimalloc.so"), "");
        assert_eq!(of("/no/such.so:libfound.so /proc/self/exe"), "libfound.so:/proc/self/exe");
    }
}
