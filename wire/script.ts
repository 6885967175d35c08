import type { Fields } from "./field.ts"

// What a snippet says, compiled: the steps of nginx's rewrite module; level.ts has the settings that are in force by them. docs/wire.md, SCRIPT.

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
