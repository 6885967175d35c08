import { expect, test } from "vitest"
import { checkHost } from "../../../controller/support/host-name.ts"

test.each([
  "shop.test",
  "*.shop.test",
  "localhost",
  "a.b-c.d",
  "xn--bcher-kva.test",
  `${"a".repeat(63)}.test`,
  "1.2.3.4",
])("host %s is fine", (host) => expect(checkHost(host)).toBeUndefined())

test.each([
  "_",
  "*",
  "*.",
  "*.*.test",
  "a.*.test",
  "*shop.test",
  "shop.test.",
  ".test",
  "a..b",
  "-a.test",
  "a-.test",
  "a_b.test",
  "bücher.test",
  "shop.test:80",
  "shop.test/",
  "shop test",
  "shop.test\n",
  "\nshop.test",
  'shop.test"',
  "shop.test;",
  "$host",
  `${"a".repeat(64)}.test`,
  `${"a.".repeat(127)}a`,
])("host %j is refused", (host) => expect(checkHost(host)).toMatch(/^(write|it is)/))
