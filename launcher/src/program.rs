//! Which of its programs the launcher is called as.

use std::ffi::OsStr;
use std::path::Path;

/// The controller's command for a program's name, as in argv\[0\]; `None` for the controller itself, and for `wick`, whose users write the command.
pub fn command_of(called: &OsStr) -> Option<&'static str> {
    match Path::new(called).file_name()?.to_str()? {
        "wait-shutdown" => Some("wait-shutdown"),
        "dbg" => Some("dbg"),
        "kube-webhook-certgen" => Some("certgen"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_its_name_wherever_it_is() {
        let of = |called: &str| command_of(OsStr::new(called));
        assert_eq!(of("/wait-shutdown"), Some("wait-shutdown"));
        assert_eq!(of("dbg"), Some("dbg"));
        assert_eq!(of("/kube-webhook-certgen"), Some("certgen"));
        assert_eq!(of("/nginx-ingress-controller"), None);
        assert_eq!(of("wick"), None);
        assert_eq!(of(""), None);
    }
}
