//! `auth_request_set`: variables of the request's script that the answer of its authentication service sets.

use wick_native::request::Request;
use wick_script::Level;

use super::text::Text;
use crate::script::kept;

/// In order.
pub struct AuthVariables(Box<[(Box<[u8]>, Text)]>);

impl AuthVariables {
    /// `None`: there are none.
    pub fn of(level: &Level) -> Option<AuthVariables> {
        let variables = level.auth_variables.iter();
        let all: Box<[_]> = variables.map(|own| (own.name.clone(), Text::of(&own.value))).collect();
        (!all.is_empty()).then_some(AuthVariables(all))
    }

    /// `question`: nginx's request to the service, which has answered. `None`: out of memory, or a value is too long.
    pub fn set(&self, r: Request, question: Request) -> Option<()> {
        let state = kept::of(r)?;
        self.0.iter().try_for_each(|(name, text)| {
            let value = r.pool().copy(text.value(question)?)?;
            // SAFETY: a copy in the request's memory.
            unsafe { state.set(name, value) };
            Some(())
        })
    }
}
