import type { Fields } from "./field.ts"

// What stands in the settings of a level: headers, limits, replacements, error pages. docs/wire.md has a table of each behind LEVEL.

const since = "0.1.0"

/** How many requests a zone lets in that the configuration declares (`limit_req_zone`), with its key and rate. */
export const requestLimit: Fields = [
  {
    name: "zone",
    type: "token",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "of a `limit_req_zone` of the configuration; where there is none, requests are answered 500",
  },
  {
    name: "burst",
    model: { meaning: "absent: 0" },
    type: "limit",
    id: 2,
    isCritical: true,
    since,
    meaning: "as the parameter; absent: 0",
  },
  {
    name: "delay",
    model: { meaning: "absent: 0" },
    type: "limit",
    id: 3,
    isCritical: true,
    since,
    meaning: "as the parameter; absent: 0",
  },
  {
    name: "no_delay",
    model: { name: "hasNoDelay", meaning: "in the place of `delay`" },
    type: "mark",
    id: 4,
    isCritical: true,
    since,
    meaning: "`nodelay`, in the place of `delay`",
  },
]

/** How many requests at a time a zone lets in that the configuration declares (`limit_conn_zone`), with its key. */
export const connectionLimit: Fields = [
  {
    name: "zone",
    type: "token",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "of a `limit_conn_zone` of the configuration; where there is none, requests are answered 500",
  },
  {
    name: "connections",
    type: "connection_limit",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "",
  },
]

/** What takes the place of a text, or of what it begins with. */
export const replacement: Fields = [
  {
    name: "from",
    model: { meaning: "template: what the text begins with. Either this or `pattern`" },
    type: "template",
    id: 1,
    isCritical: true,
    since,
    meaning: "template: the text begins with it, and it is replaced. Either this or `pattern`",
  },
  {
    name: "pattern",
    model: { meaning: "of PCRE, matches anywhere; all of the text is replaced" },
    type: "step_pattern",
    id: 2,
    isCritical: true,
    since,
    meaning: "a pattern of PCRE, not empty, that matches anywhere: all of the text is replaced",
  },
  {
    name: "any_case",
    model: { meaning: "pattern: whatever the case" },
    type: "mark",
    id: 3,
    isCritical: true,
    since,
    meaning: "of `pattern`: whatever the case",
  },
  {
    name: "to",
    model: { meaning: "template, also with groups of `pattern`" },
    type: "template",
    id: 4,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "template, also with groups of `pattern`",
  },
]

/** What becomes of the flags of a cookie. */
export const cookieFlags: Fields = [
  {
    name: "cookie",
    model: { meaning: "template: the name, whatever its case. Either this or `pattern`" },
    type: "template",
    id: 1,
    isCritical: true,
    since,
    meaning: "template: the name of the cookie, whatever its case. Either this or `pattern`",
  },
  {
    name: "pattern",
    model: { meaning: "of PCRE, matches anywhere in the name" },
    type: "step_pattern",
    id: 2,
    isCritical: true,
    since,
    meaning: "a pattern of PCRE, not empty, that matches anywhere in the name",
  },
  {
    name: "any_case",
    model: { meaning: "pattern: whatever the case" },
    type: "mark",
    id: 3,
    isCritical: true,
    since,
    meaning: "of `pattern`: whatever the case",
  },
  {
    name: "secure",
    model: { meaning: "absent: as the backend has it" },
    type: "flag",
    id: 4,
    isCritical: true,
    since,
    meaning: "whether it has `Secure`; absent: as the backend has it",
  },
  {
    name: "http_only",
    model: { meaning: "absent: as the backend has it" },
    type: "flag",
    id: 5,
    isCritical: true,
    since,
    meaning: "whether it has `HttpOnly`; absent: as the backend has it",
  },
  {
    name: "same_site",
    model: { meaning: "absent: as the backend has it; `off`: it has none" },
    type: "same_site_change",
    id: 6,
    isCritical: true,
    since,
    meaning: "its `SameSite`; `off`: it has none; absent: as the backend has it",
  },
]

/** What becomes of a header of the response. */
export const responseHeader: Fields = [
  {
    name: "op",
    model: { meaning: "`add`: as `add_header`; the others as `more_set_headers` and `more_clear_headers`" },
    type: "header_op",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning:
      "`add`: as `add_header`, beside those that there are; `set`, `append` and `clear` as `more_set_headers`, with `-a`, and `more_clear_headers`, before those",
  },
  {
    name: "name",
    model: { meaning: "of `clear`, it may end in `*`" },
    type: "token",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "1–253 bytes; of `clear`, one that ends in `*` is every name that begins so",
  },
  {
    name: "value",
    model: { meaning: "template; absent: empty" },
    type: "template",
    id: 3,
    isCritical: true,
    since,
    meaning: "template; absent: empty",
  },
  {
    name: "always",
    model: { meaning: "add: whatever the status" },
    type: "mark",
    id: 4,
    isCritical: true,
    since,
    meaning: "of `add`: whatever the status, not just 200, 201, 204, 206, 301, 302, 303, 304, 307 and 308",
  },
  {
    name: "statuses",
    model: { meaning: "of responses that this is about; absent: all" },
    type: "header_statuses",
    id: 5,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "of responses that this is about; absent: all",
  },
  {
    name: "types",
    model: { meaning: "content types of responses that this is about; absent: all" },
    type: "lines",
    id: 6,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "content types of responses that this is about; absent: all",
  },
]

/** What becomes of a header of the request. */
export const inputHeader: Fields = [
  {
    name: "op",
    model: { meaning: "as `more_set_input_headers` and `more_clear_input_headers`" },
    type: "input_header_op",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "as `more_set_input_headers` and `more_clear_input_headers`",
  },
  {
    name: "name",
    model: { meaning: "of `clear`, it may end in `*`" },
    type: "token",
    id: 2,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "1–253 bytes; of `clear`, one that ends in `*` is every name that begins so",
  },
  {
    name: "value",
    model: { meaning: "template; absent: empty" },
    type: "template",
    id: 3,
    isCritical: true,
    since,
    meaning: "template; absent: empty",
  },
  {
    name: "replaces",
    model: { meaning: "set: only where the request has it" },
    type: "mark",
    id: 4,
    isCritical: true,
    since,
    meaning: "of `set`: only where the request has it (`-r`)",
  },
  {
    name: "types",
    model: { meaning: "content types of requests that this is about; absent: all" },
    type: "lines",
    id: 5,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "content types of requests that this is about, as the client writes them; absent: all",
  },
]

/** What is sent in the place of an error. */
export const errorPage: Fields = [
  {
    name: "codes",
    model: { meaning: "300 to 599, but not 499" },
    type: "page_codes",
    id: 1,
    isRepeated: true,
    isRequired: true,
    since,
    meaning: "of the responses in whose place it is, at least one, 300 to 599, but not 499",
  },
  {
    name: "code",
    model: { meaning: "the status that is sent; 0: that of the page; absent: that of the error" },
    type: "return_code",
    id: 2,
    since,
    meaning: "the status that is sent (`=CODE`); 0: that of the page (`=`); absent: that of the error",
  },
  {
    name: "to",
    model: { meaning: "template: URL, path, or `@NAME`" },
    type: "label",
    id: 3,
    isRequired: true,
    since,
    meaning: "template: a URL, a path, or `@NAME` of a named location",
  },
]

/** A variable and what it becomes. */
export const assignment: Fields = [
  { name: "name", type: "variable_name", isRequired: true, since, meaning: "" },
  { name: "value", model: { meaning: "template" }, type: "template", isRequired: true, since, meaning: "" },
]
