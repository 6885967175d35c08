// Scripts: their steps, and the levels that hold.
import { test } from "vitest"
import { expectRefusal, inHost, inWholeRoute } from "./refused.ts"
import { A_TOKEN, A_VARIABLE } from "./sentences.ts"

const inScript = (fields: string) => inWholeRoute(`,"script":{${fields}`)
const inStep = (fields: string) => inScript(`"steps":[{${fields}]}`)
const inLevel = (fields: string) => inScript(`"levels":[{${fields}]}`)
const A_LEVEL = "A step names a level that the script does not have"
const A_SKIP = "A step passes over more steps than there are behind it"
const A_URL = "A URL goes with the status 301, 302, 303, 307 or 308"
const IDLE = "means nothing in this step"

test.each([
  [inStep('"op":‸"include"}'), '"set", "if", "rewrite", "return" or "break" is expected'],
  [inStep('"name":"a","value":""}‸'), 'Field "op" is missing'],
  [inStep('"op":"set","value":""}‸'), 'Field "name" is missing'],
  [inStep('"op":"set","name":‸"A-b","value":""}'), A_VARIABLE],
  [inStep('"op":"set","name":"a"}‸'), 'Field "value" is missing'],
  [inStep('"op":"set","name":"a","value":"","flag":"last"}‸'), `Field "flag" ${IDLE}`],
  [inStep('"op":"if","value":"$a"}‸'), 'Field "test" is missing'],
  [inStep('"op":"if","test":"filled"}‸'), 'Field "value" is missing'],
  [inStep('"op":"if","value":"$a","test":"equal"}‸'), 'Field "against" is missing'],
  [inStep('"op":"if","value":"$a","test":"mismatch"}‸'), 'Field "pattern" is missing'],
  [inStep('"op":"if","value":"$a","test":"filled","pattern":"a"}‸'), `Field "pattern" ${IDLE}`],
  [inStep('"op":"if","value":"$a","test":"match","pattern":‸""}'), 'Field "pattern" must not be empty'],
  [inStep('"op":"rewrite","pattern":"a"}‸'), 'Field "value" is missing'],
  [
    inStep('"op":"rewrite","pattern":"a","value":"","flag":‸"always"}'),
    '"none", "last", "break", "redirect" or "permanent" is expected',
  ],
  [inStep('"op":"return","value":"a"}‸'), 'Field "code" is missing'],
  [inStep('"op":"return","code":‸1000}'), "A status from 0 to 999 is expected"],
  [inStep('"op":"return","code":301,"is_url":true}‸'), 'Field "value" is missing'],
  [inStep('"op":"return","code":200,"value":"/","is_url":true}‸'), A_URL],
  [inStep('"op":"break","code":200}‸'), `Field "code" ${IDLE}`],
  [
    inStep(`"op":"return","code":200,"value":‸"${"a".repeat(4097)}"}`),
    'Field "value" has at most 4096 bytes',
  ],
  [inScript('"steps":[{"op":"if","value":"$a","test":"filled","skip":1}]‸}'), A_SKIP],
  [
    inScript('"steps":[{"op":"break"},{"op":"if","value":"$a","test":"filled","skip":2},{"op":"break"}]‸}'),
    A_SKIP,
  ],
  [
    inStep('"op":"if","value":"$a","test":"filled","skip":‸256}'),
    "A number of steps from 0 to 255 is expected",
  ],
  [inScript('"steps":[{"op":"if","value":"$a","test":"filled","level":1}]}‸'), A_LEVEL],
  [inScript('"steps":[{"op":"if","value":"$a","test":"filled","level":1}],"levels":[{}]}‸'), A_LEVEL],
  [inScript('"levels":[{},{}],"steps":[{"op":"if","value":"$a","test":"filled","level":2}]}‸'), A_LEVEL],
  [
    inStep('"op":"if","value":"$a","test":"filled","level":‸0}'),
    "The number of a level from 1 to 63 is expected",
  ],
  [
    inScript(`"steps":‸[${Array(257).fill('{"op":"break"}').join()}]}`),
    'Field "steps" has at most 256 steps',
  ],
  [inScript(`"levels":‸[${Array(65).fill("{}").join()}]}`), 'Field "levels" has at most 64 levels'],
  [
    inHost('"host":"a.test","routes":[],"script":{"levels":[{},{}]}‸'),
    "The script of a host has at most one level",
  ],
  [inLevel(`"hides":‸[${Array(257).fill('"a"').join()}]}`), 'Field "hides" has at most 256 items'],
  [inLevel('"hides":[‸"a b"]}'), `Field "hides" ${A_TOKEN}`],
  [inLevel('"expires":‸""}'), 'Field "expires" must not be empty'],
  [inLevel('"default_type":‸"a\\nb"}'), 'Field "default_type" must not contain control characters'],
  [inLevel('"limit_rate":‸1}'), "A text in quotes is expected"],
  [inLevel('"response_headers":[{"op":"add","name":‸"a:\\r\\nb"}]}'), `Field "name" ${A_TOKEN}`],
  [
    inLevel('"response_headers":[{"op":"add","name":"a","value":‸"\\r\\nb: c"}]}'),
    'Field "value" must not contain control characters',
  ],
  [
    inLevel('"response_headers":[{"op":‸"more","name":"a"}]}'),
    '"add", "set", "clear" or "append" is expected',
  ],
  [inLevel('"response_headers":[{"op":"add"}‸]}'), 'Field "name" is missing'],
  [
    inLevel('"response_headers":[{"op":"add","name":"a","statuses":[‸99]}]}'),
    "A status from 100 to 999 is expected",
  ],
  [inLevel('"response_headers":[{"op":"add","name":"a","types":[‸""]}]}'), 'Field "types" must not be empty'],
  [inLevel('"input_headers":[{"op":‸"add","name":"a"}]}'), '"set" or "clear" is expected'],
  [
    inLevel('"upstream_headers":[{"name":"a","value":‸"\\n"}]}'),
    'Field "value" must not contain control characters',
  ],
  [inLevel('"error_pages":[{"codes":[],"to":"/"}‸]}'), 'Field "codes" must not be empty'],
  [inLevel('"error_pages":[{"codes":[‸499],"to":"/"}]}'), "There is no error page for the status 499"],
  [inLevel('"error_pages":[{"codes":[‸200],"to":"/"}]}'), "A status from 300 to 599 is expected"],
  [inLevel('"error_pages":[{"codes":[404],"to":‸""}]}'), 'Field "to" must not be empty'],
  [inLevel('"request_limits":[{"zone":‸"a b"}]}'), `Field "zone" ${A_TOKEN}`],
  [inLevel('"request_limits":[{"burst":1}‸]}'), 'Field "zone" is missing'],
  [inLevel('"request_limits":[{"zone":"a","burst":‸0}]}'), "A limit from 1 to 2147483647 is expected"],
  [inLevel('"connection_limits":[{"zone":"a"}‸]}'), 'Field "connections" is missing'],
  [
    inLevel('"connection_limits":[{"zone":"a","connections":‸65536}]}'),
    "A number of connections from 1 to 65535 is expected",
  ],
  [inLevel('"limit_req_dry_run":‸"on"}'), "true or false is expected"],
  [inLevel('"limit_req_log_level":‸"crit"}'), '"info", "notice", "warn" or "error" is expected'],
  [inLevel('"limit_conn_status":‸200}'), "A status from 400 to 599 is expected"],
  [inLevel('"auth_variables":[{"name":‸"a-b","value":""}]}'), A_VARIABLE],
])("%s", expectRefusal)
