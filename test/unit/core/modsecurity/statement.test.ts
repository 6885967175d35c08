import { describe, expect, test } from "vitest"
import {
  printed,
  type Split,
  statementAt,
  statementsIn,
} from "../../../../controller/core/modsecurity/statement.ts"

const statements = (text: string) =>
  statementsIn(text).flatMap((one) => ("statement" in one ? [one.statement] : []))
const faults = (text: string) =>
  statementsIn(text).flatMap((one: Split) => ("fault" in one ? [one.fault] : []))
const again = (text: string) => printed(statements(text))

describe("lines", () => {
  test("that are blank or comments are no statements, and count", () => {
    expect(statements("\n# note\n  \nSecRuleEngine On\n")).toEqual([
      { line: 4, name: "SecRuleEngine", words: [{ text: "On", isQuoted: false }] },
    ])
  })

  test("that end in a backslash go on, also within quotation marks; the blanks of the next one do not count", () => {
    const text = 'SecRule ARGS \\\n  "@rx a" \\\n  "id:1,\\\n    deny"\nSecRuleEngine On'
    expect(again(text)).toBe('SecRule ARGS "@rx a" "id:1,deny"\n\nSecRuleEngine On\n\n')
    expect(statements(text).map(({ line }) => line)).toEqual([1, 5])
  })

  test("may end as Windows has it", () => {
    expect(again('SecRule ARGS "@rx a" \\\r\n "id:1"\r\nSecRuleEngine On\r\n')).toBe(
      'SecRule ARGS "@rx a" "id:1"\n\nSecRuleEngine On\n\n',
    )
  })

  test("of a rule that is taken out are no statements as a whole; another comment ends with its line", () => {
    expect(again('#SecRule ARGS "a" \\\n "id:1"\nSecRuleEngine On')).toBe("SecRuleEngine On\n\n")
    expect(again("# note \\\nSecRuleEngine On")).toBe("SecRuleEngine On\n\n")
  })
})

test.each([
  ['SecRule ARGS "@rx a', "a quotation mark is missing, or stands in a word"],
  ['SecRule ARGS @rx"a"', "a quotation mark is missing, or stands in a word"],
  ['SecRule ARGS \\"text/plain\\"', "a quotation mark is missing, or stands in a word"],
  ['"SecRule" ARGS', "no directive begins with a quotation mark"],
  ['SecAction "id:1\u000b"', "there is a control character"],
  ['SecRule ARGS "a\\\\\\"" "id:1"', "it is not clear which quotation mark ends the text"],
  [`SecMarker ${"a".repeat(17_000)}`, "a statement has at most 16384 characters"],
])("refused: %s", (text, reason) => {
  expect(faults(text)).toEqual([expect.objectContaining({ line: 1, reason })])
})

test("quotation marks inside of a text stay as they are written", () => {
  expect(again('SecRule ARGS "@rx \\"a\\"" "id:1"')).toBe('SecRule ARGS "@rx \\"a\\"" "id:1"\n\n')
  expect(again('SecRule ARGS "@rx a\\\\" "id:1"')).toBe('SecRule ARGS "@rx a\\\\" "id:1"\n\n')
})

test("a line of what is printed is found where it was written", () => {
  const all = statements('# one\n\nSecRuleEngine On\nSecRule ARGS "a" \\\n "id:1"\nSecMarker END')
  expect([1, 3, 5].map((line) => statementAt(all, line)?.line)).toEqual([3, 4, 6])
  expect(statementAt(all, 99)).toBeUndefined()
})

test("what is printed reads the same again", () => {
  const text =
    'SecRule "ARGS|!ARGS:q" "!@rx ^a\\"b$" "id:1,phase:2,msg:\'a, b\',deny"\nSecRuleRemoveById 920100-920200 949110'
  expect(again(again(text))).toBe(again(text))
})
