import type { Fields } from "./field.ts"

// What a snippet says, compiled: the steps of nginx's rewrite module, and the settings that are in force by them. docs/wire.md, SCRIPT.

const since = "0.1.0"

/** Directives of the rewrite module, and what they choose. */
export const script: Fields = [
  {
    name: "steps",
    model: { meaning: "one behind the other" },
    type: "steps",
    id: 1,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "at most 256, run one behind the other, see STEP",
  },
  {
    name: "levels",
    model: { meaning: "the first is in force from the beginning; the others where a step says so" },
    type: "levels",
    id: 2,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "at most 64, see LEVEL: the first is in force from the beginning, another from the step on that names it. The script of a host has the first alone, for what its steps answer",
  },
]

/** One directive of the rewrite module. */
export const step: Fields = [
  {
    name: "op",
    model: { meaning: "the directive" },
    type: "step_op",
    id: 1,
    isRequired: true,
    isCritical: true,
    since,
    meaning: "the directive of nginx that has this name; which of the other fields it has follows from it",
  },
  {
    name: "name",
    model: { meaning: "set: the variable, in lower case, without `$`" },
    type: "variable_name",
    id: 2,
    isCritical: true,
    since,
    meaning: "of `set`, required: the variable, 1–63 bytes of `[a-z0-9_]`",
  },
  {
    name: "value",
    model: {
      meaning:
        "template. set: the value; if: what is tested; rewrite: the replacement; return: body or URL, absent: none",
    },
    type: "step_text",
    id: 3,
    isCritical: true,
    since,
    meaning:
      "template: of `set` the value, of `if` what is tested, of `rewrite` the replacement (all required), of `return` the body or URL, absent: none",
  },
  {
    name: "test",
    model: { meaning: "if" },
    type: "step_test",
    id: 4,
    isCritical: true,
    since,
    meaning:
      "of `if`, required: `filled` is neither empty nor `0`; the others compare with `against` or with `pattern`",
  },
  {
    name: "pattern",
    model: { meaning: "of PCRE, matches anywhere. if with a pattern, rewrite" },
    type: "step_pattern",
    id: 5,
    isCritical: true,
    since,
    meaning: "of `rewrite`, and of an `if` that matches: a pattern of PCRE, not empty, that matches anywhere",
  },
  {
    name: "against",
    model: { meaning: "template. if with equal or unequal" },
    type: "step_text",
    id: 6,
    isCritical: true,
    since,
    meaning: "template, of an `if` with `equal` or `unequal`: what the value is compared with",
  },
  {
    name: "skip",
    model: { meaning: "if: how many of the following steps are its body; absent: none" },
    type: "step_skip",
    id: 7,
    isCritical: true,
    since,
    meaning: "of `if`: how many of the following steps are passed over unless it holds; absent: none",
  },
  {
    name: "level",
    model: { meaning: "if: index of the level that is in force from then on when it holds" },
    type: "step_level",
    id: 8,
    isCritical: true,
    since,
    meaning:
      "of `if`: which of the levels, counted from 0, is in force from then on when it holds; absent: none",
  },
  {
    name: "code",
    model: { meaning: "return: the status" },
    type: "return_code",
    id: 9,
    isCritical: true,
    since,
    meaning: "of `return`, required: the status",
  },
  {
    name: "flag",
    model: { meaning: "rewrite; absent: none" },
    type: "rewrite_flag",
    id: 10,
    isCritical: true,
    since,
    meaning: "of `rewrite`; absent: `none`",
  },
  {
    name: "drops_args",
    model: { meaning: "rewrite: the replacement ended in `?`" },
    type: "mark",
    id: 11,
    isCritical: true,
    since,
    meaning: "of `rewrite`: the arguments of the request are not appended (the replacement ended in `?`)",
  },
  {
    name: "is_url",
    model: { meaning: "return: the value is a URL, not a body" },
    type: "mark",
    id: 12,
    isCritical: true,
    since,
    meaning: "of `return`: the value is the `Location`, not a body",
  },
]

/** The settings of one level of nginx's configuration: of a location, or of an `if` in it. */
export const level: Fields = [
  {
    name: "response_headers",
    model: { meaning: "in order" },
    type: "response_headers",
    id: 1,
    isRepeated: true,
    since,
    meaning: "in order, see RESPONSE_HEADER",
  },
  {
    name: "upstream_headers",
    model: { meaning: "values are templates; an empty one is not sent" },
    type: "headers",
    id: 2,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "sent to the backend beside what the location sends, or a further parameter of FastCGI: `value` is a template, and what becomes empty is not sent",
  },
  {
    name: "input_headers",
    model: { meaning: "of the request, changed at the end of the rewrite phase, in order" },
    type: "input_headers",
    id: 3,
    isRepeated: true,
    isCritical: true,
    since,
    meaning: "in order, at the end of the rewrite phase, see INPUT_HEADER",
  },
  {
    name: "hides",
    model: { meaning: "headers of the backend's response that clients do not get" },
    type: "tokens",
    id: 4,
    isRepeated: true,
    since,
    meaning: "headers of the backend's response that clients do not get (`proxy_hide_header`)",
  },
  {
    name: "passes",
    model: { meaning: "headers of the backend's response that clients get although nginx would hide them" },
    type: "tokens",
    id: 5,
    isRepeated: true,
    since,
    meaning: "headers that clients get although nginx would hide them (`proxy_pass_header`)",
  },
  {
    name: "expires",
    model: {
      meaning:
        "`off`, `epoch`, `max`, `+SECONDS`, `-SECONDS`, `@SECONDS` of the day, `modified +SECONDS`, or a template that begins with `$`",
    },
    type: "line",
    id: 6,
    since,
    meaning:
      "`off`, `epoch`, `max`, `+SECONDS`, `-SECONDS`, `@SECONDS` of the day, `modified +SECONDS`, or a template that begins with `$`",
  },
  {
    name: "limit_rate",
    model: { meaning: "template" },
    type: "template",
    id: 7,
    since,
    meaning: "bytes per second; as of the directive",
  },
  {
    name: "limit_rate_after",
    model: { meaning: "template" },
    type: "template",
    id: 8,
    since,
    meaning: "bytes; as of the directive",
  },
  {
    name: "access_log_off",
    model: { meaning: "" },
    type: "mark",
    id: 9,
    since,
    meaning: "nothing is logged",
  },
  {
    name: "default_type",
    model: { meaning: "of the body of a `return`, and of a response that has none; empty: no type" },
    type: "line",
    id: 10,
    since,
    meaning: "of the body of a `return`, and of a response that has none; empty: no type",
  },
  {
    name: "error_pages",
    model: { meaning: "" },
    type: "error_pages",
    id: 11,
    isRepeated: true,
    since,
    meaning: "see ERROR_PAGE; of those for one status the first counts",
  },
  {
    name: "auth_variables",
    model: { meaning: "worked out with the answer of the authentication service" },
    type: "assignments",
    id: 12,
    isRepeated: true,
    isCritical: true,
    since,
    meaning:
      "variables that get their values from the answer of the authentication service (`auth_request_set`), in order: `name` as of `set`, `value` a template",
  },
  {
    name: "redirects",
    model: { meaning: "of `Location` and `Refresh` of the backend's response: the first that fits" },
    type: "replacements",
    id: 13,
    isRepeated: true,
    since,
    meaning:
      "what becomes of `Location` and of the URL in `Refresh` of a backend of HTTP (`proxy_redirect`), see REPLACEMENT: the first that fits",
  },
  {
    name: "cookie_domains",
    model: { meaning: "of cookies that the backend sets: the first that fits" },
    type: "replacements",
    id: 14,
    isRepeated: true,
    since,
    meaning:
      "what becomes of `Domain` of cookies that such a backend sets (`proxy_cookie_domain`): the first that fits; `from` is a whole domain, whatever its case and whether or not a dot is in front",
  },
  {
    name: "cookie_paths",
    model: { meaning: "of cookies that the backend sets: the first that fits" },
    type: "replacements",
    id: 15,
    isRepeated: true,
    since,
    meaning: "the same of `Path` (`proxy_cookie_path`)",
  },
  {
    name: "cookie_flags",
    model: { meaning: "of cookies that the backend sets: the first that fits" },
    type: "flags_of_cookies",
    id: 16,
    isRepeated: true,
    since,
    meaning:
      "which flags such cookies get or lose (`proxy_cookie_flags`), see COOKIE_FLAGS: the first that fits",
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
