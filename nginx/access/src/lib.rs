//! Who may request a route; no nginx, no Wasm.
//!
//! In come what a route's record says of access (docs/wire.md, ACCESS), the lists that it names, and what is known of a
//! request; out goes a verdict. How a request is answered then, and where records lie, are not known here.

mod access;
mod address_list;
mod answers;
mod external;
mod freshness;
mod geo;
mod range;
mod rules;
mod service_answer;
mod verdict;

pub use access::{Access, Password};
pub use address_list::{AddressList, check_address};
pub use answers::{Answers, Key};
pub use external::{CacheDuration, ExternalAuth, RequestHeader};
pub use freshness::seconds as seconds_to_keep;
pub use geo::{Country, Found, GeoLists, Whereabouts};
pub use rules::Rule;
pub use service_answer::ServiceAnswer;
pub use verdict::{Combination, Refusal, Satisfy, Verdict};
pub use wick_wire::{RecordError, Template};
