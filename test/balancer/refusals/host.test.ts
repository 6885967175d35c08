// Hosts, and what they ask of clients.
import { test } from "vitest"
import { expectRefusal, inHost } from "./refused.ts"
import { A_HOST, AN_ID, CONTROL } from "./sentences.ts"

const inClientCertificate = (rest: string) =>
  inHost(`"host":"a.test","routes":[],"client_certificate":{${rest}}`)
const A_SERVER =
  "A server's name has 1 to 63 bytes of a-z, 0-9 and -, or is a listener, as http:10.0.0.1:80, https:[::1]:443 or http:*:80"
const A_VERIFY = '"on", "optional", "optional_no_ca", "off" or "required" is expected'

test.each([
  [inHost('"host":"a.test"').replace('"a.test"}', '"a.test"}‸'), 'Field "routes" is missing'],
  [inHost('"host":‸"A.test","routes":[]'), `"A.test" ${A_HOST}`],
  [inHost('"host":‸"","routes":[]'), `"" ${A_HOST}`],
  [inHost('"host":‸"*.","routes":[]'), `"*." ${A_HOST}`],
  [inHost('"host":‸"a.*.test","routes":[]'), `"a.*.test" ${A_HOST}`],
  [inHost('"host":‸"a/b","routes":[]'), `"a/b" ${A_HOST}`],
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
])("%s", expectRefusal)
