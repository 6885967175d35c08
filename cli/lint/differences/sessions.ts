import { cookieForSemicolon } from "./conditions.ts"
import { type Differences, operation } from "./difference.ts"
import { either, problem, refused, says } from "./matching.ts"

const isPast = (seconds: number) => seconds < 0

/** Differences under the heading "Session affinity". */
export const sessionsDifferences = {
  "affinity-of-shared-service": {
    what: "Several Ingresses with the same Service have `affinity`",
    before: "Type and mode are those of the oldest, everything else is that of the youngest",
    now: "Everything is that of the oldest that has `affinity`. The others get a Problem",
    why: "A younger Ingress must not end the sessions of an older one",
    concerns: problem("affinity-overruled"),
  },
  "session-cookie-change-failure-20-random": {
    what: "`session-cookie-change-on-failure`: 20 random keys all lead to failed endpoints",
    before: "502",
    now: "The session moves to a remaining endpoint",
    concerns: operation,
  },
  "session-cookie-age": {
    what: "`session-cookie-expires` or `session-cookie-max-age` is not a plain number of seconds",
    before: "Any text that ends in a number is taken",
    now: "Whole seconds are taken. More than 68 years is reduced to that",
    concerns: either(
      refused("session-cookie-expires", "session-cookie-max-age"),
      says("affinity", "expiresSeconds", isPast),
      says("affinity", "maxAgeSeconds", isPast),
    ),
  },
  "session-cookie-without-key-such-as": {
    what: "Session cookie without a key, such as `|x`",
    before: "`x` is the key",
    now: "A new session with a new cookie",
    why: "The key is the part before the bar",
    concerns: operation,
  },
  "session-cookie-path-semicolon": {
    what: "A path with sessions (`affinity`) contains a semicolon",
    before: "The rest of the path becomes attributes of the cookie",
    now: "The cookie has no `Path` attribute: the browser uses the path of the request",
    why: "A path must not add attributes",
    concerns: cookieForSemicolon,
  },
  "session-cookie-path-of-regex": {
    what: "A path with sessions (`affinity`) is a regular expression (`use-regex`, `rewrite-target`), and `session-cookie-path` is missing",
    before:
      "The cookie's `Path` is the regular expression, so no browser sends the cookie back. With `use-regex` the log has a line",
    now: "The cookie's `Path` is what precedes the first character of the regular expression, up to a slash: `/foo/` for `/foo/.*`. Where the Service has several paths, on any host, it is the deepest directory that holds them all, for each of them. A Problem says so",
    why: "A session needs its cookie. A backend has one path for it",
    concerns: problem("cookie-path-of-pattern"),
  },
  "name-with-space": {
    what: "The name of a header, a cookie or a domain contains a space",
    before: "The name is accepted, but never matches",
    now: "The name is refused, with a Problem",
    concerns: refused(
      "session-cookie-name",
      "session-cookie-domain",
      "canary-by-header",
      "canary-by-cookie",
      /blank|letters/,
    ),
  },
} satisfies Differences
