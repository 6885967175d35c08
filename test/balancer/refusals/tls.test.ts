// Certificates, what handshakes go by, and users.
import { test } from "vitest"
import { expectRefusal, inChange } from "./refused.ts"
import { AN_ID, CIPHERS } from "./sentences.ts"

const inCertificate = (rest: string) => inChange(`"certificates":{"set":[{${rest}}]}`)
const inStaple = (rest: string) => inChange(`"staples":{"set":[{${rest}}]}`)
const inAuthority = (rest: string) => inChange(`"authorities":{"set":[{${rest}}]}`)
const inTlsHost = (rest: string) => inChange(`"tls_hosts":{"set":[{"host":"a.test"${rest}}]}`)
const inClient = (rest: string) => inTlsHost(`,"client_certificate":{${rest}}`)
const inUsers = (rest: string) => inChange(`"user_lists":{"set":[{"id":"a",${rest}}]}`)
const some = (count: number) => `[${Array(count).fill('"MAA="').join()}]`
const SOME_DER = "DER in base64 is expected, with padding and without line breaks"
const A_CHAIN = "A chain has 1 to 16 certificates"
const SOME_CAS = "An authority has 1 to 1024 certificates"
const SOME_CRLS = "An authority has 0 to 64 revocation lists"
const A_MOMENT = "Milliseconds since 1970 are expected"
const A_TLS_HOST =
  'A TLS host has a name in lower case, "*." or "**." and a name, or "_", behind a listener and a slash for those of a listener, or it is ":default"'
const USERS = "A user list has 1 to 10000 users"
const A_USER = "A user's name has 1 to 255 bytes"
const A_PASSWORD_HASH = "A password's hash has 1 to 512 bytes without control characters"

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
  [inChange('"tls_hosts":{"remove":[‸{}]}'), "The name of a host is expected"],
  ...["", "A.test", "*.", ":defaults", "a*.test", "a/b", "a".repeat(254)].map((name) => [
    inChange(`"tls_hosts":{"remove":[‸"${name}"]}`),
    A_TLS_HOST,
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
])("%s", (marked = "", sentence = "") => expectRefusal(marked, sentence))
