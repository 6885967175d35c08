//! Users and their passwords; no nginx, no Wasm.
//!
//! In come the record of a user list (docs/wire.md, USER_LIST) and what clients claim; out goes whether that is right, what of it
//! was found right lately, and which claims are to be verified next. Nothing here knows a clock, a thread, or how a request waits.

mod attempts;
mod claim;
mod remembered;
mod shares;
mod user_list;
mod verify;

pub use attempts::{Attempts, Joined, Limits, Share};
pub use claim::{Claim, ClaimHasher};
pub use remembered::Remembered;
pub use user_list::UserList;
pub use verify::{Crypt, is_right};
pub use wick_wire::RecordError;
