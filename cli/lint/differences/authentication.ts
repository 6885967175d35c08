import { argon2 } from "./conditions.ts"
import { type Differences, everyRequest, operation } from "./difference.ts"
import { both, problem, problemText, refused, says, takenNow, uses } from "./matching.ts"

/** Differences in access control: authentication. */
export const authenticationDifferences = {
  "auth-type-digest": {
    what: "`auth-type` is `digest`",
    before:
      "Passwords are checked with MD5 of RFC 2617, by a module that Debian's nginx lacks; a nonce is good for 10 s and 20 uses; after five failures an address is ignored for five minutes; a full table lets nobody in",
    now: "Passwords are checked with MD5 and SHA-256 of RFC 7616; a nonce is good for five minutes, each use of it once over all workers; a client without a password fills no table, and nobody is ignored",
    why: "A client behind the same address as an attacker can log in. Use `limit-rps` against guessing",
    concerns: says("access", "authType", "digest"),
  },
  "auth-digest-users": {
    what: "`auth-secret` of `digest` has users of other realms, or hashes of other schemes",
    before: "These users never get in",
    now: "Users of other realms are passed over; for the others a Problem names the user",
    concerns: both(says("access", "authType", "digest"), problem("users-left-out")),
  },
  "auth-type-in-capitals": {
    what: "`auth-type` is written with capital letters, as `Basic`",
    before: "The Ingress is left out",
    now: "The value is taken as in small letters",
    concerns: takenNow("auth-type", "left-out"),
  },
  "auth-type-unusable": {
    what: "`auth-type` is neither `basic` nor `digest`",
    before: "A value with `basic` or `digest` in it is taken as that; with any other the Ingress is left out",
    now: "The Ingress answers 503, with a Problem",
    why: "A typo must not open what was protected",
    concerns: refused("auth-type"),
  },
  "auth-secret-without-hash": {
    what: "`auth-secret` has no user with a hash, as a file with the one line `ada`",
    before: "Everybody gets 401",
    now: "The Ingress answers 503, with a Problem",
    why: "The reason can be found",
    concerns: problemText("secret-refused", /no user/),
  },
  "auth-secret-change": {
    what: "`auth-secret`: a change",
    before: "A file for each Ingress, rewritten in place; a reload, with `auth-map` at random",
    now: "Posted; counts from the next request on",
    why: "Users are data",
    concerns: operation,
  },
  "auth-realm-off": {
    what: "`auth-realm` is `off`",
    before: "Authentication is switched off",
    now: "The realm is called `off`, and passwords are asked for",
    concerns: says("access", "authRealm", (realm) => realm.toLowerCase() === "off"),
  },
  "auth-realm-quotes": {
    what: "`auth-realm` has quotes or other characters that ingress-nginx refuses",
    before: "The Ingress is left out",
    now: "The realm may be any text without control characters",
    concerns: takenNow("auth-realm", "left-out"),
  },
  "password-hash-unknown": {
    what: "A user's hash is of an unknown form, of bcrypt with a cost above 13 (`max-bcrypt-cost`), or takes more than a second or 64 MiB",
    before:
      "The user gets 401, or 500 with a line in the log; a costly hash blocks a worker for as long as it takes",
    now: "This user cannot log in, with a Problem that has the name; the others can",
    why: "The reason can be found",
    concerns: problem("users-left-out"),
    breadth: "several",
  },
  "password-argon2id": {
    what: "A user's hash is of argon2id (`$argon2id$`)",
    before: "The user gets 500",
    now: "The password is verified",
    concerns: argon2,
  },
  "auth-map-lines": {
    what: "`auth-secret-type` is `auth-map`, and a value of the Secret has several lines",
    before: "Further lines are further users",
    now: "The user cannot log in, with a Problem",
    why: "Nobody sees these users",
    concerns: both(says("access", "authSecretType", "auth-map"), problem("users-left-out")),
  },
  "verifying-password": {
    what: "Verifying a password",
    before:
      "In the worker, for each request: bcrypt with cost 12 stops all its other requests for a quarter of a second",
    now: "In threads that give way to everything else; right passwords are remembered by a worker for at most a minute",
    why: "One login must not slow down others",
    concerns: operation,
  },
  "very-many-different-passwords-at-time": {
    what: "Very many different passwords at a time: 16 of a client for a Secret, 64 of all, per worker",
    before: "All are verified",
    now: "More get 429, first of all those of the namespace, list and client that have most; namespaces and lists have equal parts of the time",
    why: "An attacker must not keep users waiting, nor a tenant those of others",
    concerns: everyRequest,
  },
  "auth-secret-too-large": {
    what: "`auth-secret` has more than 10,000 users, or 640 KiB of them",
    before: "All of them can log in",
    now: "The Ingress answers 503, with a Problem",
    why: "It has to fit into one change",
    concerns: both(uses("auth-secret"), problemText("secret-refused", /more than/)),
  },
  "user-list-error-log-user-x": {
    what: 'A user list in the error log: `user "x" was not found in …`',
    before: "The name of the file",
    now: "The id of the list (`wick explain`)",
    why: "There is no file",
    concerns: operation,
  },
} satisfies Differences
