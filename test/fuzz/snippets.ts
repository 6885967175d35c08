// Snippets, damaged, through the compiler: `build/node test/fuzz/snippets.ts SECONDS [SEED]`. They begin as those of the generator that holds them
// against nginx. A finding is an exception, steps or settings that a record does not take, something printed that nginx would read as something else,
// a message that could forge lines of a log, or a text that takes long.
import { compileSnippet } from "../../controller/core/snippets/compile.ts"
import type { CompileOptions } from "../../controller/core/snippets/compiled.ts"
import { directiveNames } from "../../controller/core/snippets/table.ts"
import { caseOf } from "../nginx/snippets/support/grammar.ts"
import { checkCompiled } from "../support/compiled-snippets.ts"
import { fuzzTexts } from "./support/texts.ts"

const places = ["location", "server", "auth", "http", "main", "stream"] as const
const options: CompileOptions = {
  namespace: "shop",
  isVariable: (name) => /^(host|uri|args|scheme|(http|arg|cookie)_\w+)$/.test(name),
  requestZones: new Set(["z"]),
}

await fuzzTexts({
  name: "snippets",
  seeds: Array.from({ length: 500 }, (_, nth) => {
    const { server = "", location = "" } = caseOf(nth)
    return `${server}\n${location}`
  }),
  pieces: [
    ...["if ($host) {", "location /a {", "proxy_pass http://cart;", "limit_except GET {", "map $host $a {"],
    ...["valid_referers none a.test;", "deny all;", "return 403;", "more_set_headers", "-s", "always", "10m"],
    ...["off", "$a", "http://"],
  ],
  names: directiveNames,
  lineEnd: ";",
  check: (text, one) => checkCompiled(compileSnippet(text, one(places), options), text),
})
