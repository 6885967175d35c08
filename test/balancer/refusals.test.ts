/** Every reason for which a posted text is refused: its sentence, its place, and that nothing was written. */
import { expect, test } from "vitest"
import { Worker } from "./host.ts"

/** `‸` marks where the error is; it is taken out before the text is posted. */
const MARK = "‸"

function refusal(path: string, marked: string | Uint8Array): { error: string; offset: number } {
  const worker = new Worker()
  const answer = worker.post(path, marked)
  expect(answer.status).toBe(400)
  expect(worker.zones.version).toBe(0n)
  return JSON.parse(answer.body)
}

function expectRefusal(marked: string, sentence: string): void {
  const offset = Buffer.byteLength(marked.slice(0, marked.indexOf(MARK)))
  expect(refusal("/configuration/changes", marked.replace(MARK, ""))).toEqual({ error: sentence, offset })
}

const inChange = (rest: string) => `{"base":null,"generation":"g",${rest}}`
const inBackend = (rest: string) => inChange(`"backends":{"set":[{"name":"a"${rest}}]}`)
const inEndpoint = (rest: string) => inBackend(`,"endpoints":[{${rest}}]`)
const inHashBy = (rest: string) => inBackend(`,"upstreamHashByConfig":{${rest}}`)
const inCookie = (rest: string) =>
  inBackend(`,"sessionAffinityConfig":{"name":"cookie","cookieSessionAffinity":{${rest}}}`)
const inShaping = (rest: string) => inBackend(`,"trafficShapingPolicy":{${rest}}`)
const inHost = (rest: string) => inChange(`"routes":{"set":[{${rest}}]}`)
const inClientCertificate = (rest: string) =>
  inHost(`"host":"a.test","routes":[],"client_certificate":{${rest}}`)
const inRoute = (rest: string) => inHost(`"host":"a.test","routes":[{${rest}}]`)
const inWholeRoute = (rest: string) =>
  inRoute(`"path":"/","match":"exact","location":"p","backend":"b"${rest}`)
const inCors = (fields: string) => inWholeRoute(`,"cors":{${fields}}`)
const inCondition = (fields: string) => inWholeRoute(`,"conditions":[{${fields}]`)
const inSplit = (fields: string) => inWholeRoute(`,"split":[{${fields}]`)
const inActions = (fields: string) => inWholeRoute(`,"actions":{${fields}}`)
const inWaf = (fields: string) => inWholeRoute(`,"waf":{${fields}}`)
const inBackendTls = (fields: string) => inWholeRoute(`,"backend_tls":{${fields}}`)
const inScript = (fields: string) => inWholeRoute(`,"script":{${fields}`)
const inStep = (fields: string) => inScript(`"steps":[{${fields}]}`)
const inLevel = (fields: string) => inScript(`"levels":[{${fields}]}`)
const inRules = (fields: string) => inWholeRoute(`,"access":{"rules":[{${fields}]}`)
const inLimits = (fields: string) => inWholeRoute(`,"limits":{${fields}}`)
const MISSING_ORIGINS = 'Field "origins" is missing'

const inCertificate = (rest: string) => inChange(`"certificates":{"set":[{${rest}}]}`)
const inStaple = (rest: string) => inChange(`"staples":{"set":[{${rest}}]}`)
const inAuthority = (rest: string) => inChange(`"authorities":{"set":[{${rest}}]}`)
const inTlsHost = (rest: string) => inChange(`"tls_hosts":{"set":[{"host":"a.test"${rest}}]}`)
const inClient = (rest: string) => inTlsHost(`,"client_certificate":{${rest}}`)
const inPassthrough = (rest: string) => inChange(`"passthroughs":{"set":[{${rest}}]}`)
const inStream = (rest: string) => inChange(`"streams":{"set":[{${rest}}]}`)
const inUsers = (rest: string) => inChange(`"user_lists":{"set":[{"id":"a",${rest}}]}`)
const some = (count: number) => `[${Array(count).fill('"MAA="').join()}]`

const A_PORT = "A port from 1 to 65535 is expected"
const A_BACKEND = "A backend's name has 1 to 253 bytes and does not begin with a colon"
const A_SUBSET = "A number of endpoints from 0 to 2147483647 is expected"
const A_TOKEN = "takes letters, digits and !#$%&'*+-.^_`|~/: only"
const A_LOCATION = "A host has 1 to 253 bytes and no control characters"
const A_TIME = "Milliseconds from 1 to 2147483647 are expected"
const SECONDS = "Seconds from -100000000000 to 100000000000 are expected"
const A_POLICY = "A policy's name has 1 to 63 bytes of a-z, 0-9 and dashes"
const A_DIGEST = "64 hexadecimal digits in lower case are expected"
const FAILURES = "A number of failures from 1 to 1000 is expected"
const A_MATCH =
  '"exact", "prefix", "regex", "string_prefix", "string_prefix_final", "pattern" or "pattern_any_case" is expected'
const A_RANGE = '"all", "unix:" or a network in quotes is expected, as 10.0.0.0/8 or 2001:db8::/32'
const A_LEVEL = "A step names a level that the script does not have"
const A_SKIP = "A step passes over more steps than there are behind it"
const A_URL = "A URL goes with the status 301, 302, 303, 307 or 308"
const IDLE = "means nothing in this step"
const A_CODE = "A status from 300 to 308 is expected"
const A_VARIABLE = "A variable's name has 1 to 63 bytes of a-z, 0-9 and _"
const A_SERVER =
  "A server's name has 1 to 63 bytes of a-z, 0-9 and -, or is a listener, as http:10.0.0.1:80, https:[::1]:443 or http:*:80"
const A_WEIGHT = "A weight from 0 to 1000000 is expected"
const BYTES = "A number of bytes from 0 to 2^53 is expected"
const BUFFER_BYTES = "A number of bytes from 1 to 2147483647 is expected"
const CONTROL = "must not contain control characters"
const ENDS = "The JSON text ends too early"
const AN_ID = "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore"
const SOME_DER = "DER in base64 is expected, with padding and without line breaks"
const A_CHAIN = "A chain has 1 to 16 certificates"
const SOME_CAS = "An authority has 1 to 1024 certificates"
const SOME_CRLS = "An authority has 0 to 64 revocation lists"
const A_MOMENT = "Milliseconds since 1970 are expected"
const CIPHERS = "A list of ciphers has 1 to 4096 bytes of A-Z, a-z, 0-9 and !:+@=_-"
const A_TLS_HOST =
  'A TLS host has a name in lower case, "*." or "**." and a name, or "_", behind a listener and a slash for those of a listener, or it is ":default"'
const A_PASSTHROUGH = "A passthrough has a name in lower case"
const A_STREAM =
  "A stream's name is tcp: or udp: and a port from 1 to 65535, perhaps with an address between them"
const USERS = "A user list has 1 to 10000 users"
const A_USER = "A user's name has 1 to 255 bytes"
const A_PASSWORD_HASH = "A password's hash has 1 to 512 bytes without control characters"
const A_HOST = 'is no host: a name in lower case, "*." or "**." and a name, or "_"'
const A_VERIFY = '"on", "optional", "optional_no_ca", "off" or "required" is expected'
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
  // a backend
  [inChange('"backends":{"set":[{}‸]}'), 'Field "name" is missing'],
  [inChange('"backends":{"set":[{"name":‸""}]}'), A_BACKEND],
  [inChange('"backends":{"remove":[‸":generation"]}'), A_BACKEND],
  [inBackend(',"load-balance":‸7'), "The name of an algorithm is expected"],
  [inBackend(',"load-balance":‸nul'), "A value is expected"],
  [inBackend(',"endpoints":‸{}'), "An array is expected"],
  [inBackend(',"endpoints":[‸null]'), "An object is expected"],
  [inBackend(',"noServer":‸1'), "true or false is expected"],
  [inBackend(',"noServer":‸"true"'), "true or false is expected"],
  // its settings
  [inHashBy('"upstream-hash-by":‸7'), "A text in quotes is expected"],
  [inHashBy('"upstream-hash-by":‸"a\\n"'), 'Field "upstream-hash-by" must not contain control characters'],
  [inHashBy('"upstream-hash-by":‸"\x7f"'), 'Field "upstream-hash-by" must not contain control characters'],
  [inHashBy(`"upstream-hash-by":‸"${"x".repeat(4097)}"`), 'Field "upstream-hash-by" has at most 4096 bytes'],
  [inHashBy('"upstream-hash-by-subset":‸"yes"'), "true or false is expected"],
  [inHashBy('"upstream-hash-by-subset-size":‸-1'), A_SUBSET],
  [inHashBy('"upstream-hash-by-subset-size":‸2147483648'), A_SUBSET],
  [inHashBy('"upstream-hash-by-subset-size":‸"3"'), A_SUBSET],
  [inBackend(',"sessionAffinityConfig":‸"cookie"'), "An object is expected"],
  [inBackend(',"sessionAffinityConfig":{"name":‸true}'), "A text in quotes is expected"],
  [inCookie('"name":‸"a b"'), `Field "name" ${A_TOKEN}`],
  [inCookie('"name":‸"a=b"'), `Field "name" ${A_TOKEN}`],
  [inCookie('"name":‸"a;b"'), `Field "name" ${A_TOKEN}`],
  [inCookie('"name":‸"\\r\\nx"'), `Field "name" ${A_TOKEN}`],
  [inCookie('"name":‸"é"'), `Field "name" ${A_TOKEN}`],
  [inCookie(`"name":‸"${"x".repeat(254)}"`), 'Field "name" has at most 253 bytes'],
  [inCookie('"expires":‸"1h"'), SECONDS],
  [inCookie('"expires":‸"1.5"'), SECONDS],
  [inCookie('"expires":‸"01"'), SECONDS],
  [inCookie('"expires":‸" 1"'), SECONDS],
  [inCookie('"expires":‸1e3'), SECONDS],
  [inCookie('"expires":‸"-100000000001"'), SECONDS],
  [inCookie('"maxage":‸100000000001'), SECONDS],
  [inCookie('"maxage":‸-100000000001'), SECONDS],
  [inCookie('"maxage":‸true'), SECONDS],
  [inCookie('"path":‸"/; Secure"'), 'Field "path" must not contain a semicolon'],
  [inCookie('"domain":‸"a\\r\\nSet-Cookie: b"'), 'Field "domain" must not contain control characters'],
  [inCookie('"samesite":‸1'), "A text in quotes is expected"],
  [inCookie('"secure":‸"true"'), "true or false is expected"],
  [inCookie('"locations":‸[]'), "An object is expected"],
  [inCookie('"locations":{"a":[],‸"a":[]}'), 'The key "a" is there twice'],
  [inCookie('"locations":{‸"":[]}'), A_LOCATION],
  [inCookie('"locations":{‸"a\\u0000":[]}'), A_LOCATION],
  [inCookie(`"locations":{‸"${"x".repeat(254)}":[]}`), A_LOCATION],
  [inCookie('"locations":{"a":‸"/"}'), "An array is expected"],
  [inCookie('"locations":{"a":[‸1]}'), "A path in quotes is expected"],
  [inCookie(`"locations":{"a":[‸"/${"x".repeat(65535)}"]}`), "A path has at most 65535 bytes"],
  [inBackend(',"alternativeBackends":‸"b"'), "An array is expected"],
  [inBackend(',"alternativeBackends":["b",‸""]'), A_BACKEND],
  [inBackend(',"alternativeBackends":[‸":b"]'), A_BACKEND],
  [inBackend(',"alternativeBackends":["b","c",‸"b"]'), 'The alternative "b" is named twice'],
  [inShaping('"weight":‸"10"'), "A whole number is expected"],
  [inShaping('"weight":‸0.5'), "A whole number is expected"],
  [inShaping('"header":‸"X Canary"'), `Field "header" ${A_TOKEN}`],
  [inShaping('"cookie":‸"a,b"'), `Field "cookie" ${A_TOKEN}`],
  [inShaping('"headerValue":‸"a\\nb"'), 'Field "headerValue" must not contain control characters'],
  [inShaping(`"headerPattern":‸"${"x".repeat(4097)}"`), 'Field "headerPattern" has at most 4096 bytes'],
  [inBackend(',"slowStart":{"window_ms":‸0}'), A_TIME],
  [inBackend(',"slowStart":{"window_ms":‸2147483648}'), A_TIME],
  [inBackend(',"slowStart":{"window_ms":‸"30s"}'), A_TIME],
  [inBackend(',"slowStart":{}‸'), 'Field "window_ms" is missing'],
  [inBackend(',"outlierEjection":{"failures":5}‸'), 'Field "ejection_ms" is missing'],
  [inBackend(',"outlierEjection":{"ejection_ms":‸null}'), A_TIME],
  [inBackend(',"outlierEjection":{"failures":‸0}'), FAILURES],
  [inBackend(',"outlierEjection":{"failures":‸1001}'), FAILURES],
  [inBackend(',"policy":{"name":"a"}‸'), 'Field "digest" is missing'],
  [inBackend(',"policy":{"name":‸""'), A_POLICY],
  [inBackend(',"policy":{"name":‸"a.b"'), A_POLICY],
  [inBackend(`,"policy":{"name":‸"${"a".repeat(64)}"`), A_POLICY],
  [inBackend(',"policy":{"digest":‸"ab"'), A_DIGEST],
  [inBackend(`,"policy":{"digest":‸"${"A".repeat(64)}"`), A_DIGEST],
  [inBackend(`,"policy":{"digest":‸"${"a".repeat(65)}"`), A_DIGEST],
  [inBackend(',"policy":{"needs":‸32'), "A sum of the needs of a policy, 0 to 31, is expected"],
  [inBackend(`,"policy":{"config":‸"${"a".repeat(16385)}"`), 'Field "config" has at most 16384 bytes'],
  [inEndpoint('"zone":‸"a"'), '"none", "ours" or "another" is expected'],
  [inEndpoint('"port":"80"').replace('"80"}', '"80"}‸'), 'Field "address" is missing'],
  [inEndpoint('"address":‸"localhost","port":"80"'), '"localhost" is no IP address'],
  [inEndpoint('"address":‸"10.0.0.256","port":"80"'), '"10.0.0.256" is no IP address'],
  [inEndpoint('"address":‸1,"port":"80"'), "An address in quotes is expected"],
  [inEndpoint('"address":"::1","port":‸"0"'), A_PORT],
  [inEndpoint('"address":"::1","port":‸"080"'), A_PORT],
  [inEndpoint('"address":"::1","port":‸"80x"'), A_PORT],
  [inEndpoint('"address":"::1","port":‸""'), A_PORT],
  [inEndpoint('"address":"::1","port":‸65536'), A_PORT],
  [inEndpoint('"address":"::1","port":‸8e1'), A_PORT],
  [inEndpoint('"address":"::1","port":‸-1'), A_PORT],
  [inEndpoint('"address":"::1","port":80,"weight":‸0'), "A weight from 1 to 100 is expected"],
  [inEndpoint('"address":"::1","port":80,"weight":‸101'), "A weight from 1 to 100 is expected"],
  [inEndpoint('"address":"::1","port":80,"weight":‸1.0'), "A weight from 1 to 100 is expected"],
  // fields without effect are read as strictly as the others
  [inBackend(',"service":{"a":1,"b":2,‸"a":3}'), 'The key "a" is there twice'],
  [inBackend(',"service":‸nul'), "A value is expected"],
  [inBackend(',"service":[1,2 ‸3]'), "A comma or the end of the array is expected"],
  [inBackend(',"service":‸01'), "A value is expected"],
  [inBackend(',"service":‸1.'), "A value is expected"],
  [inBackend(',"service":‸-'), "A value is expected"],
  [inBackend(',"service":‸1e+'), "A value is expected"],
  [inBackend(`,"service":${"[".repeat(60)}‸${"[".repeat(9)}`), "Arrays and objects are nested too deep"],
  // a host
  [inHost('"host":"a.test"').replace('"a.test"}', '"a.test"}‸'), 'Field "routes" is missing'],
  [inHost('"host":‸"A.test","routes":[]'), `"A.test" ${A_HOST}`],
  [inHost('"host":‸"","routes":[]'), `"" ${A_HOST}`],
  [inHost('"host":‸"*.","routes":[]'), `"*." ${A_HOST}`],
  [inHost('"host":‸"a.*.test","routes":[]'), `"a.*.test" ${A_HOST}`],
  [inHost('"host":‸"a/b","routes":[]'), `"a/b" ${A_HOST}`],
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
  [inHost('"host":"a","server":‸"Main","routes":[]'), A_SERVER],
  [inHost('"host":"a","server":‸"","routes":[]'), A_SERVER],
  ...[
    "http:10.0.0.1",
    "http:10.0.0.1:0",
    "http:10.0.0.1:080",
    "http:10.0.0.1:65536",
    "http:10.0.0.1:80x",
    "http:10.0.0.1:",
    "http:010.0.0.1:80",
    "http:[10.0.0.1]:80",
    "http:::1:80",
    "https:[::0:1]:443",
    "https:[::A]:443",
    "https:[::1:443",
    "ftp:*:21",
    "http:**:80",
    "http::80",
    "http:",
    "http:*:80/a",
    ":parts",
  ].map((name): [string, string] => [inHost(`"host":"a","server":‸"${name}","routes":[]`), A_SERVER]),
  [
    inHost('"host":"a","routes":[]},{"server":"main","host":‸"a","routes":[]'),
    'The host "main/a" is named twice',
  ],
  // what it asks of clients
  [inHost('"host":"a.test","routes":[],"client_certificate":‸null'), "An object is expected"],
  [inClientCertificate('"verify":"on"}‸').slice(0, -1), 'Field "authority" is missing'],
  [inClientCertificate('"authority":"a"}‸').slice(0, -1), 'Field "verify" is missing'],
  [inClientCertificate('"authority":‸1'), "A text in quotes is expected"],
  [inClientCertificate('"authority":‸""'), AN_ID],
  [inClientCertificate('"authority":‸"a.b"'), AN_ID],
  [inClientCertificate('"authority":‸"é"'), AN_ID],
  [inClientCertificate(`"authority":‸"${"a".repeat(65)}"`), AN_ID],
  [inClientCertificate('"verify":‸"ON"'), A_VERIFY],
  [inClientCertificate('"verify":‸""'), A_VERIFY],
  [inClientCertificate('"verify":‸1'), A_VERIFY],
  [inClientCertificate('"match_cn":‸""'), 'Field "match_cn" must not be empty'],
  [inClientCertificate('"match_cn":‸"a\\u0000"'), `Field "match_cn" ${CONTROL}`],
  [inClientCertificate(`"error_page":‸"${"/".repeat(4097)}"`), 'Field "error_page" has at most 4096 bytes'],
  [inClientCertificate('"error_page":‸"/a\\r\\nX-B: b"'), `Field "error_page" ${CONTROL}`],
  [inClientCertificate('"pass_certificate":‸"yes"'), "true or false is expected"],
  // a route
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

test.each([
  // ids and names
  [inCertificate('"id":‸1'), "An id is expected"],
  ...["", "a.b", "a/b", "a\\r", "\\u0010", "é", "a".repeat(65)].map((id) => [
    inCertificate(`"id":‸"${id}"`),
    AN_ID,
  ]),
  [inChange('"certificates":{"set":[],"remove":[‸"a b"]}'), AN_ID],
  [inChange('"certificates":{"remove":["a",‸"a"]}'), 'The certificate "a" is named twice'],
  [inChange('"staples":{"remove":["a",‸"a"]}'), 'The staple of "a" is named twice'],
  [inChange('"authorities":{"remove":["a",‸"a"]}'), 'The authority "a" is named twice'],
  [inChange('"tls_hosts":{"remove":[":default",‸":default"]}'), 'The TLS host ":default" is named twice'],
  [inChange('"passthroughs":{"remove":["a",‸"a"]}'), 'The passthrough "a" is named twice'],
  [inChange('"tls_hosts":{"remove":[‸{}]}'), "The name of a host is expected"],
  ...["", "A.test", "*.", ":defaults", "a*.test", "a/b", "a".repeat(254)].map((name) => [
    inChange(`"tls_hosts":{"remove":[‸"${name}"]}`),
    A_TLS_HOST,
  ]),
  ...["", "_", "*.a.test", ":default", "A", "a".repeat(254)].map((name) => [
    inChange(`"passthroughs":{"remove":[‸"${name}"]}`),
    A_PASSTHROUGH,
  ]),
  // certificates
  [inCertificate('"id":"a","key":"MAA="}‸').slice(0, -1), 'Field "chain" is missing'],
  [inCertificate('"id":"a","chain":["MAA="]}‸').slice(0, -1), 'Field "key" is missing'],
  [inCertificate('"chain":["MAA="],"key":"MAA="}‸').slice(0, -1), 'Field "id" is missing'],
  [inCertificate('"chain":‸"MAA="'), "An array is expected"],
  [inCertificate('"chain":‸[]'), A_CHAIN],
  [inCertificate(`"chain":‸${some(17)}`), A_CHAIN],
  [inCertificate('"chain":[‸null]'), SOME_DER],
  [inCertificate('"key":‸null'), SOME_DER],
  ...[
    "",
    "M",
    "MA",
    "MAA",
    "MAA==",
    "M===",
    "====",
    "MAA=MAA=",
    "MA A",
    "MAA\\n",
    "MAB=",
    "MB==",
    "MA-_",
    "MAé",
  ].map((text) => [inCertificate(`"key":‸"${text}"`), SOME_DER]),
  // staples
  [inStaple('"certificate":‸":"'), AN_ID],
  [inStaple('"response":‸""'), SOME_DER],
  [inStaple('"until_ms":‸-1'), A_MOMENT],
  [inStaple('"until_ms":‸1.5'), A_MOMENT],
  [inStaple('"until_ms":‸"1"'), A_MOMENT],
  [inStaple('"certificate":"a","response":"MAA="}‸').slice(0, -1), 'Field "until_ms" is missing'],
  // authorities
  [inAuthority('"certificates":‸[]'), SOME_CAS],
  [inAuthority(`"certificates":‸${some(1025)}`), SOME_CAS],
  [inAuthority(`"crls":‸${some(65)}`), SOME_CRLS],
  [inAuthority('"id":"a","certificates":["MAA="]}‸').slice(0, -1), 'Field "crls" is missing'],
  // TLS hosts
  [
    inTlsHost(',"certificates":‸["a","b","c","d","e"]'),
    "A TLS host has at most 4 certificates, of different types of keys",
  ],
  [inTlsHost(',"certificates":[‸""]'), AN_ID],
  [inTlsHost(',"certificates":[‸1]'), "The id of a certificate is expected"],
  ...["", "A B", "A;B", "A,B", "é", "A".repeat(4097)].map((list) => [
    inTlsHost(`,"ciphers":‸"${list}"`),
    CIPHERS,
  ]),
  [inTlsHost(',"prefer_server_ciphers":‸1'), "true or false is expected"],
  [inClient('"authority":‸"a b"'), AN_ID],
  [inClient('"authority":‸1'), "The id of an authority is expected"],
  [inClient('"verify":‸"off"'), '"on", "optional", "optional_no_ca" or "required" is expected'],
  [inClient('"depth":‸0'), "A depth from 1 to 100 is expected"],
  [inClient('"depth":‸101'), "A depth from 1 to 100 is expected"],
  [inClient('"authority":"a","verify":"on"}‸').slice(0, -1), 'Field "depth" is missing'],
  // user lists
  [inUsers('"users":‸[]'), USERS],
  [inUsers('"users":[{"name":‸"","hash":"h"}]'), A_USER],
  [inUsers(`"users":[{"name":‸"${"a".repeat(256)}","hash":"h"}]`), A_USER],
  [inUsers('"users":[{"name":"a","hash":‸""}]'), A_PASSWORD_HASH],
  [inUsers('"users":[{"name":"a","hash":‸"a\\nb"}]'), A_PASSWORD_HASH],
  [inUsers(`"users":[{"name":"a","hash":‸"${"h".repeat(513)}"}]`), A_PASSWORD_HASH],
  [inUsers('"users":[{"name":"a"}‸]'), 'Field "hash" is missing'],
  // passthroughs
  [inPassthrough('"host":‸"*.a.test"'), A_PASSTHROUGH],
  [inPassthrough('"host":"a.test"}‸').slice(0, -1), 'Field "backend" is missing'],
  ...['""', '":general"', `"${"b".repeat(254)}"`].map((text) => [
    inPassthrough(`"backend":‸${text}`),
    A_BACKEND,
  ]),
  // streams
  ...[
    "",
    "tcp",
    "tcp:",
    "tcp:0",
    "tcp:05",
    "tcp:65536",
    "udp:+1",
    "sctp:1",
    "TCP:1",
    "tcp:1:",
    "udp:1/x",
    "tcp:*:1",
    "tcp::1",
    "tcp:10.0.0.1:0",
    "tcp:10.0.0.01:1",
    "tcp:[10.0.0.1]:1",
    "tcp:2001:db8::1:1",
    "tcp:[2001:DB8::1]:1",
    "tcp:[2001:db8:0::1]:1",
  ].map((name) => [inStream(`"name":‸"${name}"`), A_STREAM]),
  [inChange('"streams":{"remove":["udp:53",‸"udp:53"]}'), 'The stream "udp:53" is named twice'],
  [inStream('"name":"tcp:1"}‸').slice(0, -1), 'Field "backend" is missing'],
  [inStream('"backend":‸""'), 'Field "backend" must not be empty'],
  [inStream('"backend":‸"a\\nb"'), `Field "backend" ${CONTROL}`],
  [inStream('"sends_proxy_protocol":‸"v3"'), '"v1" or "v2" is expected'],
  [inStream('"accepts_proxy_protocol":‸1'), "true or false is expected"],
  [inStream('"proxy_timeout_ms":‸0'), A_TIME],
  [inStream('"responses":‸-1'), "A number of datagrams from 0 to 2147483647 is expected"],
  [inStream('"connections":‸0'), "A limit from 1 to 2147483647 is expected"],
  [inStream('"allow":‸"a b"'), AN_ID],
  [inStream('"names":‸{}'), "An array is expected"],
  [inStream('"names":[{"host":‸"A.test"}]'), `Field "host" ${A_HOST}`],
  [inStream('"names":[{"host":"a.test"}‸]'), 'Field "backend" is missing'],
  [inStream('"names":[{"host":"a.test","backend":‸""}]'), 'Field "backend" must not be empty'],
])("of TLS and streams: %s", (marked = "", sentence = "") => expectRefusal(marked, sentence))

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
