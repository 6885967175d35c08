//! The templates of a service, filled in for a request. They know no groups: other patterns have run since the route was found.

use wick_access::Template;
use wick_native::request::Request;

use crate::script;
use crate::template::{Prepared, Purpose};

#[derive(Default)]
pub struct Texts {
    pub target: Text,
    pub host: Text,
    pub signin: Text,
    pub request_redirect: Text,
    pub cache_key: Text,
    /// Parallel to the service's headers, once they were needed.
    pub headers: std::cell::OnceCell<Box<[Text]>>,
}

#[derive(Default)]
pub struct Text(Prepared);

impl Text {
    /// A text that may stand in a header. `None`: it would be too long, or memory is out.
    pub fn fill<'r>(&self, template: &Template, r: Request<'r>) -> Option<&'r [u8]> {
        self.filled(template, r, Purpose::Header, Vec::new())
    }

    /// Any bytes, for a key, appended to `text`. `None`: it would be too long.
    pub fn fill_key(&self, template: &Template, r: Request, text: &mut Vec<u8>) -> Option<()> {
        self.0.append(template, r, Purpose::Key, script::find(r), |_| None, text).then_some(())
    }

    /// Path and query for the line of a request, which begin with a slash.
    pub fn fill_target<'r>(&self, template: &Template, r: Request<'r>) -> Option<&'r [u8]> {
        let target = self.filled(template, r, Purpose::Target, vec![b'/'])?;
        Some(if target.starts_with(b"//") { &target[1..] } else { target })
    }

    fn filled<'r>(
        &self,
        template: &Template,
        r: Request<'r>,
        purpose: Purpose,
        mut text: Vec<u8>,
    ) -> Option<&'r [u8]> {
        let fits = self.0.append(template, r, purpose, script::find(r), |_| None, &mut text);
        fits.then(|| r.pool().copy(&text))?.map(|text| &*text)
    }
}
