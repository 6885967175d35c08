//! What a check says of a request, and what several say together.

/// What one check says, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Granted,
    Refused(Refusal),
    /// The check has nothing to say about this request: no rule of it fits.
    Undecided,
    /// The check could not be carried out: nobody gets in.
    Failed,
}

/// The later one counts for more: a client that may say who it is, is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// 403
    Forbidden,
    /// 401
    Unauthorized,
}

/// How many kinds of checks have to let a request in. Source: nginx, `satisfy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Satisfy {
    #[default]
    All,
    Any,
}

/// Combines the checks of a route, which are asked one after the other until the verdict is clear, as nginx does with the
/// handlers of its access phase. `Undecided` when none has anything to say: nothing keeps the request out.
pub fn combine(satisfy: Satisfy, checks: impl IntoIterator<Item = Verdict>) -> Verdict {
    let mut so_far = Verdict::Undecided;
    for verdict in checks {
        match (satisfy, verdict) {
            (_, Verdict::Undecided) => {}
            (_, Verdict::Failed)
            | (Satisfy::All, Verdict::Refused(_))
            | (Satisfy::Any, Verdict::Granted) => return verdict,
            (Satisfy::All, Verdict::Granted) => so_far = verdict,
            (Satisfy::Any, Verdict::Refused(refusal)) => so_far = worse(so_far, refusal),
        }
    }
    so_far
}

fn worse(so_far: Verdict, refusal: Refusal) -> Verdict {
    match so_far {
        Verdict::Refused(before) => Verdict::Refused(before.max(refusal)),
        _ => Verdict::Refused(refusal),
    }
}
