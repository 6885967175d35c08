//! Choosing endpoints, for requests and sessions alike: the filters are asked, and told what became of it; where they cannot answer, the
//! backend's record is gone round.

pub mod ask;
pub mod ending;
mod fallback;
