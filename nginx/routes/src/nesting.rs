//! Locations within locations, searched as nginx does (`ngx_http_core_find_location`): inside of the longest prefix that is found its own
//! locations are searched, and then the patterns beside it, unless it is final; inside of a pattern that matches its own patterns.

use crate::route::{PathMatch, Route};

/// The location in which others are searched; `None`: the server block.
pub type Level<'r> = Option<&'r Route>;

/// No search goes deeper. Nothing that people write does; a location within itself would have no end.
const MAX_DEPTH: usize = 16;

/// What answers in a level when no pattern does.
pub enum Plain<P> {
    /// It has a location of its own, or differs from one by the slash at its end.
    Exact(P),
    Prefix(P),
    Nothing,
}

/// The routes of a host, level by level.
pub trait Levels<'r> {
    /// A route that was found.
    type Place: Copy;
    type Error;

    fn plain(&mut self, level: Level<'r>) -> Result<Plain<Self::Place>, Self::Error>;
    /// The first whose pattern matches.
    fn pattern(&mut self, level: Level<'r>) -> Result<Option<Self::Place>, Self::Error>;
    fn route(&self, place: Self::Place) -> &'r Route;
    /// Asks about the pattern of a route once more, so that its groups are those of the latest match.
    fn ask_again(&mut self, place: Self::Place) -> Result<(), Self::Error>;
}

/// # Errors: the first of `levels`.
pub fn find<'r, L: Levels<'r>>(levels: &mut L) -> Result<Option<L::Place>, L::Error> {
    let (mut around, mut level) = (Vec::new(), None);
    while around.len() < MAX_DEPTH {
        match levels.plain(level)? {
            Plain::Exact(place) => return Ok(Some(place)),
            Plain::Prefix(place) => {
                level = Some(levels.route(place));
                around.push(place);
            }
            Plain::Nothing => break,
        }
    }
    let longest = around.last().copied();
    let mut is_final = false;
    loop {
        let place = around.pop();
        let level = place.map(|place| levels.route(place));
        if !is_final && let Some(found) = levels.pattern(level)? {
            return innermost(levels, found).map(Some);
        }
        match level {
            None => return Ok(longest),
            Some(route) => is_final = route.path_match == PathMatch::StringPrefixFinal,
        }
    }
}

/// The pattern that matches within this one's location, and so on.
fn innermost<'r, L: Levels<'r>>(levels: &mut L, mut place: L::Place) -> Result<L::Place, L::Error> {
    for _ in 0..MAX_DEPTH {
        let level = levels.route(place);
        match levels.pattern(Some(level))? {
            Some(inner) => place = inner,
            None => break,
        }
    }
    levels.ask_again(place)?;
    Ok(place)
}
