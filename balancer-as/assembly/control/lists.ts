// Printed by `npm run wire` from wire/: change it there.

import {
  CERTIFICATES,
  AUTHORITIES,
  STAPLES,
  BACKENDS,
  TLS_HOSTS,
  ADDRESS_LISTS,
  USER_LISTS,
  ROUTE_PARTS,
  HOSTS,
  PASSTHROUGHS,
  STREAMS,
} from "./kinds"
import { List } from "./list"
import { readCertificate, showCertificate } from "./tls/certificate"
import { readAuthority, showAuthority } from "./tls/authority"
import { readStaple, showStaple } from "./tls/staple"
import { readBackend, showBackend } from "./backend"
import { readTlsHost, showTlsHost } from "./tls/host"
import { readAddressList, showAddressList } from "./address-list"
import { readUserList, showUserList } from "./user-list"
import { readRoutePart, showRoutePart } from "./route-part"
import { readHost, showHost, showPlace } from "./host-record"
import { readPassthrough, showPassthrough } from "./tls/passthrough"
import { readStream, showStream } from "./stream"
import * as writer from "../json/writer"

export const LISTS: StaticArray<List> = [
  new List(CERTIFICATES, 0x63, "id", readCertificate, showCertificate, writer.text),
  new List(AUTHORITIES, 0x61, "id", readAuthority, showAuthority, writer.text),
  new List(STAPLES, 0x73, "certificate", readStaple, showStaple, writer.text),
  new List(BACKENDS, 0x62, "name", readBackend, showBackend, writer.text),
  new List(TLS_HOSTS, 0x74, "host", readTlsHost, showTlsHost, writer.text),
  new List(ADDRESS_LISTS, 0x6c, "id", readAddressList, showAddressList, writer.text),
  new List(USER_LISTS, 0x75, "id", readUserList, showUserList, writer.text),
  new List(ROUTE_PARTS, 0x6f, "id", readRoutePart, showRoutePart, writer.text),
  new List(HOSTS, 0x72, "host", readHost, showHost, showPlace),
  new List(PASSTHROUGHS, 0x70, "host", readPassthrough, showPassthrough, writer.text),
  new List(STREAMS, 0x6d, "name", readStream, showStream, writer.text),
]
