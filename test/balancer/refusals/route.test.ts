// Routes: what is asked of requests, and what becomes of them.
import { test } from "vitest"
import { expectRefusal, inRoute, inWholeRoute } from "./refused.ts"
import { A_DIGEST, A_TIME, A_TOKEN, A_VARIABLE, AN_ID, CIPHERS, CONTROL } from "./sentences.ts"

const inCors = (fields: string) => inWholeRoute(`,"cors":{${fields}}`)
const inCondition = (fields: string) => inWholeRoute(`,"conditions":[{${fields}]`)
const inSplit = (fields: string) => inWholeRoute(`,"split":[{${fields}]`)
const inActions = (fields: string) => inWholeRoute(`,"actions":{${fields}}`)
const inWaf = (fields: string) => inWholeRoute(`,"waf":{${fields}}`)
const inBackendTls = (fields: string) => inWholeRoute(`,"backend_tls":{${fields}}`)
const inRules = (fields: string) => inWholeRoute(`,"access":{"rules":[{${fields}]}`)
const inLimits = (fields: string) => inWholeRoute(`,"limits":{${fields}}`)
const MISSING_ORIGINS = 'Field "origins" is missing'
const A_MATCH =
  '"exact", "prefix", "regex", "string_prefix", "string_prefix_final", "pattern" or "pattern_any_case" is expected'
const A_RANGE = '"all", "unix:" or a network in quotes is expected, as 10.0.0.0/8 or 2001:db8::/32'
const A_CODE = "A status from 300 to 308 is expected"
const A_WEIGHT = "A weight from 0 to 1000000 is expected"
const BYTES = "A number of bytes from 0 to 2^53 is expected"
const BUFFER_BYTES = "A number of bytes from 1 to 2147483647 is expected"

test.each([
  // what it asks of requests
  [
    inCondition('"of":‸"cookie","name":"a","value":""}'),
    '"method", "header", "query" or "scheme" is expected',
  ],
  [inCondition('"of":"header","name":"a","value":"","match":‸"prefix"}'), '"exact" or "regex" is expected'],
  [inCondition('"of":"header","name":‸"","value":""}'), 'Field "name" must not be empty'],
  [
    inCondition('"of":"header","name":"a","value":‸"\\n"}'),
    'Field "value" must not contain control characters',
  ],
  [inCondition('"of":"header","value":""}‸'), 'Field "name" is missing'],
  [inCondition('"of":"query","value":""}‸'), 'Field "name" is missing'],
  [
    inCondition('"name":"a","of":"method","value":"GET"}‸'),
    "A condition of the method or the scheme has no name",
  ],
  [
    inCondition('"name":"a","of":"scheme","value":"http"}‸'),
    "A condition of the method or the scheme has no name",
  ],
  [inCondition('"of":"method"}‸'), 'Field "value" is missing'],
  [inWholeRoute(',"rule":‸""'), 'Field "rule" must not be empty'],
  [inWholeRoute(',"rule":‸"a\\nb"'), 'Field "rule" must not contain control characters'],
  [inWholeRoute(`,"rule":‸"${"a".repeat(4097)}"`), 'Field "rule" has at most 4096 bytes'],
  [
    inWholeRoute(`,"conditions":‸[${Array(65).fill('{"of":"method","value":"GET"}').join()}]`),
    "A route has at most 64 conditions",
  ],
  ...["prefix", "string_prefix", "string_prefix_final", "regex"].map((match): [string, string] => [
    inRoute(`"path":‸"a","match":"${match}","location":"p","backend":"b"`),
    "A path begins with a slash",
  ]),
  [inRoute('"path":‸"","match":"pattern","location":"p","backend":"b"'), 'Field "path" must not be empty'],
  [
    inRoute(`"path":‸"${"a".repeat(4097)}","match":"pattern_any_case","location":"p","backend":"b"`),
    "A pattern has at most 4096 bytes",
  ],
  // who may come
  [inRules('"action":‸"drop","from":"all"}'), '"allow" or "deny" is expected'],
  [inRules('"action":"deny"}‸'), 'Field "from" is missing'],
  [inRules('"action":"deny","from":‸"10.0.0.1"}'), A_RANGE],
  [inRules('"action":"deny","from":‸"10.0.0.1/33"}'), A_RANGE],
  [inRules('"action":"deny","from":‸"::1/129"}'), A_RANGE],
  [inRules('"action":"deny","from":‸"All"}'), A_RANGE],
  [
    inWholeRoute(`,"access":{"rules":‸[${Array(1025).fill('{"action":"deny","from":"all"}').join()}]}`),
    'Field "rules" has at most 1024 items',
  ],
  // its backends, and what becomes of requests
  [inSplit('"backend":"a","weight":‸-1}'), A_WEIGHT],
  [inSplit('"backend":"a","weight":‸1000001}'), A_WEIGHT],
  [inSplit('"backend":"a"}‸'), 'Field "weight" is missing'],
  [inSplit('"weight":1}‸'), 'Field "backend" is missing'],
  [inSplit('"weight":1,"backend":‸""}'), 'Field "backend" must not be empty'],
  [inSplit('"weight":1,"backend":"a","status":‸200}'), "A status from 400 to 599 is expected"],
  [
    inSplit('"weight":1,"backend":"a","actions":{"set_request_headers":[{"name":"A","value":‸"\\n"}]}}'),
    'Field "value" must not contain control characters',
  ],
  [inActions('"path":‸"a"'), 'Field "path" must begin with a slash'],
  [inActions('"path":‸""'), 'Field "path" must begin with a slash'],
  [inActions('"path":‸"/\\n"'), 'Field "path" must not contain control characters'],
  [inActions('"request_timeout_ms":‸0'), "Milliseconds from 1 to 2147483647 are expected"],
  [inActions('"backend_timeout_ms":‸0'), "Milliseconds from 1 to 2147483647 are expected"],
  [inActions('"retry_codes":[‸600]'), "A status from 400 to 599 is expected"],
  [inActions(`"retry_codes":‸[${"500,".repeat(200)}500]`), 'Field "retry_codes" has at most 200 items'],
  [
    inActions(`"mirrors":‸[${'{"backend":"a"},'.repeat(16)}{"backend":"a"}]`),
    'Field "mirrors" has at most 16 items',
  ],
  [inActions('"mirrors":[{}‸]'), 'Field "backend" is missing'],
  [inActions('"mirrors":[{"backend":‸""}]'), 'Field "backend" must not be empty'],
  [inActions('"mirrors":[{"backend":"a","denominator":‸0}]'), "A number from 1 to 2147483647 is expected"],
  [inActions('"mirrors":[{"backend":"a","numerator":‸-1}]'), "A number from 0 to 2147483647 is expected"],
  [inWaf('"owner":‸"","rules":"a"'), 'Field "owner" must not be empty'],
  [inWaf(`"owner":‸"${"a".repeat(1025)}"`), 'Field "owner" has at most 1024 bytes'],
  [inWholeRoute(',"waf":{"owner":"a"}‸'), 'Field "rules" is missing'],
  [inWaf(`"owner":"a","rules":‸"${"A".repeat(64)}"`), A_DIGEST],
  [inWaf(`"owner":"a","rules":‸"${"a".repeat(63)}"`), A_DIGEST],
  [inWaf(`"owner":"a","rules":‸"../${"a".repeat(61)}"`), A_DIGEST],
  [inBackendTls('"authority":‸"a b"'), AN_ID],
  [inBackendTls('"certificate":‸""'), AN_ID],
  [inBackendTls('"depth":‸0'), "A depth from 1 to 100 is expected"],
  [inBackendTls('"depth":‸101'), "A depth from 1 to 100 is expected"],
  [inBackendTls('"alternative_names":[‸""]'), 'Field "alternative_names" must not be empty'],
  [inBackendTls('"ciphers":‸"A B"'), CIPHERS],
  [inBackendTls('"ciphers":‸""'), CIPHERS],
  [inBackendTls('"version":‸"TLSv1.1"'), '"TLSv1.2" or "TLSv1.3" is expected'],
  [inBackendTls('"sends_name":‸1'), "true or false is expected"],
  [inSplit('"weight":1,"backend":"a","backend_tls":{"depth":‸0}'), "A depth from 1 to 100 is expected"],
  [inActions('"mirrors":[{"backend":"a","backend_tls":{"depth":‸0}}]'), "A depth from 1 to 100 is expected"],
  // its path, answers and numbers
  [inRoute('"path":‸"cart","match":"exact","location":"p","backend":"b"'), "A path begins with a slash"],
  [inRoute('"path":‸"","match":"exact","location":"p","backend":"b"'), "A path begins with a slash"],
  [inRoute('"path":"/","match":‸"Exact","location":"p","backend":"b"'), A_MATCH],
  [inRoute('"path":"/","match":‸2,"location":"p","backend":"b"'), A_MATCH],
  [
    inRoute(`"path":‸"/${"x".repeat(4096)}","match":"regex","location":"p","backend":"b"`),
    "A pattern has at most 4096 bytes",
  ],
  [inRoute('"path":‸"@a","match":"prefix","location":"p","backend":"b"'), "A path begins with a slash"],
  [inRoute('"path":‸"^/a","match":"regex","location":"p","backend":"b"'), "A path begins with a slash"],
  [inRoute('"path":"/","match":"exact","location":‸"","backend":"b"'), 'Field "location" must not be empty'],
  [inRoute('"path":"/","match":"exact","location":"p","backend":‸""'), 'Field "backend" must not be empty'],
  [
    inRoute('"path":"/","match":"exact","location":"p"').replace('"p"}', '"p"}‸'),
    'Field "backend" is missing',
  ],
  [inWholeRoute(',"namespace":‸7'), "A text in quotes is expected"],
  [inWholeRoute(',"status":‸200'), "A status from 400 to 599 is expected"],
  [inWholeRoute(',"status":‸600'), "A status from 400 to 599 is expected"],
  [inWholeRoute(',"cors":‸null'), "An object is expected"],
  [inCors('"allow_methods":"GET","allow_headers":"A","max_age":"1"}‸').slice(0, -1), MISSING_ORIGINS],
  [inCors('"origins":‸"*"'), "An array is expected"],
  [inCors('"origins":["*",‸7]'), "A text in quotes is expected"],
  [inCors('"origins":["*",‸""]'), 'Field "origins" must not be empty'],
  [inCors('"origins":[‸"a\\r\\nb"]'), `Field "origins" ${CONTROL}`],
  [inCors('"allow_methods":‸""'), 'Field "allow_methods" must not be empty'],
  [inCors('"allow_headers":‸"A\\r\\nB: c"'), `Field "allow_headers" ${CONTROL}`],
  [inCors(`"expose_headers":‸"${"a".repeat(4097)}"`), 'Field "expose_headers" has at most 4096 bytes'],
  [inCors('"max_age":‸600'), "A text in quotes is expected"],
  [inCors('"credentials":‸"true"'), "true or false is expected"],
  [inWholeRoute(',"limits":‸7'), "An object is expected"],
  [inLimits('"rps":1}‸').slice(0, -1), 'Field "key" is missing'],
  [inLimits('"key":‸7'), "An id is expected"],
  [inLimits('"key":"5d1e","rps":‸0'), "A limit from 1 to 2147483647 is expected"],
  [inLimits('"key":"5d1e","rpm":‸2147483648'), "A limit from 1 to 2147483647 is expected"],
  [inLimits('"key":"5d1e","connections":‸"1"'), "A limit from 1 to 2147483647 is expected"],
  [inLimits('"key":"5d1e","burst_multiplier":‸-1'), "A multiplier from 0 to 2147483647 is expected"],
  [inWholeRoute(',"overrides":{"proxy_read_timeout_ms":‸0}'), A_TIME],
  [inWholeRoute(',"overrides":{"proxy_read_timeout_ms":‸2147483648}'), A_TIME],
  [inWholeRoute(',"overrides":{"client_max_body_size_bytes":‸9007199254740993}'), BYTES],
  [inWholeRoute(',"overrides":{"client_max_body_size_bytes":‸99999999999999999999}'), BYTES],
  [inWholeRoute(',"overrides":{"proxy_max_temp_file_size_bytes":‸"1m"}'), BYTES],
  [inWholeRoute(',"overrides":{"proxy_buffer_size_bytes":‸0}'), BUFFER_BYTES],
  [inWholeRoute(',"overrides":{"proxy_busy_buffers_size_bytes":‸0}'), BUFFER_BYTES],
  [inWholeRoute(',"overrides":{"client_body_buffer_size_bytes":‸2147483648}'), BUFFER_BYTES],
  [
    inWholeRoute(',"overrides":{"proxy_buffers_number":‸0}'),
    "A number of buffers from 1 to 2147483647 is expected",
  ],
  [
    inWholeRoute(',"overrides":{"proxy_next_upstream_tries":‸-1}'),
    "A number of tries from 0 to 2147483647 is expected",
  ],
  [
    inWholeRoute(',"overrides":{"proxy_next_upstream_timeout_ms":‸1.5}'),
    "Milliseconds from 0 to 2147483647 are expected",
  ],
  [inWholeRoute(',"overrides":{"proxy_buffering":‸"on"}'), "true or false is expected"],
  [inWholeRoute(',"overrides":{"proxy_next_upstream":‸""}'), '"" is no word of proxy_next_upstream'],
  [
    inWholeRoute(',"overrides":{"proxy_next_upstream":‸"error http_505"}'),
    '"http_505" is no word of proxy_next_upstream',
  ],
  [
    inWholeRoute(',"overrides":{"proxy_next_upstream":‸"error  timeout"}'),
    '"" is no word of proxy_next_upstream',
  ],
  [
    inWholeRoute(',"overrides":{"proxy_next_upstream":‸true}'),
    "Words of proxy_next_upstream in quotes are expected",
  ],
  [inWholeRoute(',"redirect":{"code":‸299,"to":"/"}'), A_CODE],
  [inWholeRoute(',"https_redirect":{"code":‸309,"to":"/"}'), A_CODE],
  [inWholeRoute(',"redirect":{"code":301,"to":‸""}'), 'Field "to" must not be empty'],
  [inWholeRoute(',"redirect":{"code":301,"to":‸"/\\r\\nSet-Cookie: a"}'), `Field "to" ${CONTROL}`],
  [inWholeRoute(',"redirect":{"code":301}‸'), 'Field "to" is missing'],
  [inWholeRoute(',"redirect":{"to":"/"}‸'), 'Field "code" is missing'],
  [inWholeRoute(',"redirect":‸"/"'), "An object is expected"],
  [inWholeRoute(`,"rewrite":‸"${"x".repeat(4097)}"`), 'Field "rewrite" has at most 4096 bytes'],
  [inWholeRoute(',"rewrite":‸"\\u0000"'), `Field "rewrite" ${CONTROL}`],
  [inWholeRoute(',"log_rewrite":‸1'), "true or false is expected"],
  [inWholeRoute(',"variables":{‸"":"a"}'), A_VARIABLE],
  [inWholeRoute(',"variables":{‸"Host":"a"}'), A_VARIABLE],
  [inWholeRoute(`,"variables":{‸"${"x".repeat(64)}":"a"}`), A_VARIABLE],
  [inWholeRoute(',"variables":{"a":"1",‸"a":"2"}'), 'The key "a" is there twice'],
  [inWholeRoute(',"variables":{"a":‸null}'), "A text in quotes is expected"],
  [inWholeRoute(',"variables":{"a":‸"\\n"}'), `Field "variables" ${CONTROL}`],
  [inWholeRoute(',"headers":‸{}'), "An array is expected"],
  [inWholeRoute(',"headers":[{"name":‸"","value":"a"}]'), 'Field "name" must not be empty'],
  [inWholeRoute(',"headers":[{"name":‸"a b","value":"a"}]'), `Field "name" ${A_TOKEN}`],
  [
    inWholeRoute(`,"headers":[{"name":‸"${"x".repeat(254)}","value":""}]`),
    'Field "name" has at most 253 bytes',
  ],
  [inWholeRoute(',"headers":[{"name":"a","value":‸"\\r\\nb: c"}]'), `Field "value" ${CONTROL}`],
  [inWholeRoute(',"headers":[{"name":"a"}‸]'), 'Field "value" is missing'],
])("%s", expectRefusal)
