import { expect, test } from "vitest"
import { reasonIn } from "../../../../controller/output/nginx/check.ts"

test.each([
  ['nginx: [emerg] unknown "x" variable\nnginx: configuration file /c test failed\n', 'unknown "x" variable'],
  ["nginx: [warn] w in /c:1\nnginx: [emerg] host not found in /c:12\n", "host not found in /c:12"],
  ["2026/11/21 08:00:00 [emerg] 7#7: bind() failed\n", "bind() failed"],
  ["Segmentation fault\n", "Segmentation fault"],
  ["", "nginx gave no reason"],
])("the reason in %j is %j", (output, reason) => {
  expect(reasonIn(output)).toBe(reason)
})
