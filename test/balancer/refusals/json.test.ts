// Text that is no JSON, no change, or not UTF-8.
import { expect, test } from "vitest"
import { expectRefusal, inChange, refusal } from "./refused.ts"

const ENDS = "The JSON text ends too early"
const A_GENERATION = "A generation has 1 to 64 bytes of A-Z, a-z, 0-9, dot, dash and underscore"

test.each([
  // RFC 8259
  ["  ‸", ENDS],
  ["{‸", ENDS],
  ["‸[]", "An object is expected"],
  ["{‸1:2}", "A key in quotes is expected"],
  ['{"base" ‸null}', "A colon is expected"],
  ['{"base":null‸"generation":"g"}', "A comma or the end of the object is expected"],
  ['{"base":null,‸}', "Nothing follows the comma"],
  ['{"base":null,"generation":"g"} ‸{}', "Something follows the end of the JSON text"],
  ['{"base":null,"generation":"g"}‸\0', "Something follows the end of the JSON text"],
  ['{"base":null,"generation":"g‸', ENDS],
  ['{"base":null,"generation":"a‸\tb"}', "A control character must be escaped"],
  ['{"base":null,"generation":"a‸\0b"}', "A control character must be escaped"],
  ['{"base":null,"generation":"a‸\\x"}', "An unknown escape"],
  ['{"base":null,"generation":"a‸\\u12g4"}', "Four hexadecimal digits must follow \\u"],
  ['{"base":null,"generation":"a‸\\ud800"}', "Half of a surrogate pair"],
  ['{"base":null,"generation":"a‸\\udc00\\ud800"}', "Half of a surrogate pair"],
  ['{"base":null,"generation":"a‸\\ud800\\u0041"}', "Half of a surrogate pair"],
  ["{‸'base':null}", "A key in quotes is expected"],
  // the change
  ['{"generation":"g"}‸', 'Field "base" is missing'],
  ['{"base":null}‸', 'Field "generation" is missing'],
  ['{"base":‸1,"generation":"g"}', "A generation in quotes is expected"],
  ['{"base":null,"generation":‸null}', "A generation in quotes is expected"],
  ['{"base":‸"","generation":"g"}', A_GENERATION],
  ['{"base":null,"generation":‸"ä"}', A_GENERATION],
  [`{"base":null,"generation":‸"${"g".repeat(65)}"}`, A_GENERATION],
  ['{"base":null,‸"base":null}', 'The key "base" is there twice'],
  ['{"base":null,‸"b\\u0061se":null}', 'The key "base" is there twice'],
  [inChange('"backends":‸[]'), "An object is expected"],
  [inChange('"backends":{"set":‸{}}'), "An array is expected"],
  [inChange('"backends":{"set":[‸,]}'), "An object is expected"],
  [inChange('"backends":{"remove":[‸1]}'), "The name of a backend is expected"],
  [inChange('"backends":{"remove":["a",‸"a"]}'), 'The backend "a" is named twice'],
  [inChange('"backends":{"set":[{"name":"a"}],"remove":[‸"\\u0061"]}'), 'The backend "a" is named twice'],
])("%s", expectRefusal)

test.each([
  ["a byte that begins nothing", [0x80]],
  ["a byte that never occurs", [0xff]],
  ["a longer form than needed", [0xc0, 0x80]],
  ["a longer form than needed, three bytes", [0xe0, 0x80, 0x80]],
  ["a surrogate", [0xed, 0xa0, 0x80]],
  ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
  ["cut off", [0xe2, 0x82]],
])("not UTF-8: %s", (_, bytes) => {
  const before = '{"base":null,"generation":"'
  const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from('"}')])
  expect(refusal("/configuration/changes", body)).toEqual({
    error: "A byte that is not UTF-8",
    offset: before.length,
  })
})

test("a long name is shortened in the sentence, at a whole character", () => {
  const { error } = refusal("/configuration/changes", `{"critical":["${"ä".repeat(200)}"]}`)
  expect(error).toBe(`The field "${"ä".repeat(40)}..." is critical, and this filter does not know it`)
})

test("the full set of ingress-nginx is read as strictly", () => {
  expect(refusal("/configuration/backends", '[{"name":"a"},{"name":"a"}]').error).toBe(
    'The backend "a" is named twice',
  )
  expect(refusal("/configuration/backends", "{}").error).toBe("An array is expected")
})
