//! Whether rules may look into bodies. libmodsecurity does not say, so their text is searched for the only words that can turn it on.

/// What has to be shown to a set. Too much costs time; nothing is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    pub request_body: bool,
    pub response_body: bool,
}

impl Wants {
    /// Of a set that reads files which are not looked at here.
    pub const ALL: Wants = Wants { request_body: true, response_body: true };

    /// `SecRequestBodyAccess`, `ctl:requestBodyAccess`, and the same of responses; what includes other files may say anything.
    pub fn of(text: &str) -> Wants {
        let text = text.to_ascii_lowercase();
        let includes = text.lines().any(|line| line.trim_start().starts_with("include"));
        if includes {
            return Wants::ALL;
        }
        Wants {
            request_body: text.contains("requestbodyaccess"),
            response_body: text.contains("responsebodyaccess"),
        }
    }

    pub fn and(self, other: Wants) -> Wants {
        Wants {
            request_body: self.request_body || other.request_body,
            response_body: self.response_body || other.response_body,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_wanted_where_rules_speak_of_them() {
        assert_eq!(Wants::of("SecRuleEngine On\nSecRule ARGS x \"id:1\""), Wants::default());
        let request = Wants { request_body: true, response_body: false };
        assert_eq!(Wants::of("secrequestbodyaccess On"), request);
        assert_eq!(Wants::of("SecAction \"id:1,ctl:requestBodyAccess=On\""), request);
        assert_eq!(Wants::of("SecResponseBodyAccess On").and(request), Wants::ALL);
        assert_eq!(Wants::of(" Include /a.conf"), Wants::ALL);
    }
}
