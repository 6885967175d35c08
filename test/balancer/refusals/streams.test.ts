// What is handed on undecrypted, and ports of TCP and UDP.
import { test } from "vitest"
import { expectRefusal, inChange } from "./refused.ts"
import { A_BACKEND, A_HOST, A_TIME, AN_ID, CONTROL } from "./sentences.ts"

const inPassthrough = (rest: string) => inChange(`"passthroughs":{"set":[{${rest}}]}`)
const inStream = (rest: string) => inChange(`"streams":{"set":[{${rest}}]}`)
const A_PASSTHROUGH = "A passthrough has a name in lower case"
const A_STREAM =
  "A stream's name is tcp: or udp: and a port from 1 to 65535, perhaps with an address between them"

test.each([
  // passthroughs
  [inChange('"passthroughs":{"remove":["a",‸"a"]}'), 'The passthrough "a" is named twice'],
  ...["", "_", "*.a.test", ":default", "A", "a".repeat(254)].map((name) => [
    inChange(`"passthroughs":{"remove":[‸"${name}"]}`),
    A_PASSTHROUGH,
  ]),
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
])("%s", (marked = "", sentence = "") => expectRefusal(marked, sentence))
