//! The firewall of a route, ready for requests.

use std::rc::Rc;

use wick_routes::{Route, Waf};

use crate::template::Prepared;

/// What a route says, as a worker keeps it.
pub struct ReadyWaf {
    pub said: Rc<Waf>,
    pub transaction_id: Prepared,
}

impl ReadyWaf {
    /// `None`: the route has none.
    pub fn of(route: &Route) -> Option<Rc<ReadyWaf>> {
        let said = route.waf.clone()?;
        Some(Rc::new(ReadyWaf { said, transaction_id: Prepared::default() }))
    }
}
