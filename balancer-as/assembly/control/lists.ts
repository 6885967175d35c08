/** The lists of a change and of what is in force, one for each kind: how its things are read and shown. */
import { AUTHORITIES, BACKENDS, CERTIFICATES, HOSTS, Kind, PASSTHROUGHS, STAPLES, TLS_HOSTS } from "./kinds"
import { Buffer } from "../buffer"
import { readAuthority, showAuthority } from "./tls/authority"
import { readBackend, showBackend } from "./backend"
import { readCertificate, showCertificate } from "./tls/certificate"
import { readHost, showHost, showPlace } from "./host-record"
import { readPassthrough, showPassthrough } from "./tls/passthrough"
import { readStaple, showStaple } from "./tls/staple"
import { readTlsHost, showTlsHost } from "./tls/host"
import * as writer from "../json/writer"

export class List {
  constructor(
    readonly kind: Kind,
    /** Of a cursor of the names: it goes on with this list. */
    readonly letter: u8,
    /** The argument of a GET that asks for one thing by its name. */
    readonly argument: string,
    /** Reads a thing and adds the write that sets it. */
    readonly read: () => void,
    /** Writes a thing as it is in force; false if its record, `length` bytes at `at`, is damaged. */
    readonly show: (out: Buffer, name: usize, nameLength: usize, at: usize, length: usize) => bool,
    readonly showName: (out: Buffer, name: usize, nameLength: usize) => void,
  ) {}
}

/** In the order in which names are listed. */
export const LISTS: StaticArray<List> = [
  new List(BACKENDS, 0x62, "name", readBackend, showBackend, writer.text),
  new List(HOSTS, 0x72, "host", readHost, showHost, showPlace),
  new List(CERTIFICATES, 0x63, "id", readCertificate, showCertificate, writer.text),
  new List(STAPLES, 0x73, "certificate", readStaple, showStaple, writer.text),
  new List(AUTHORITIES, 0x61, "id", readAuthority, showAuthority, writer.text),
  new List(TLS_HOSTS, 0x74, "host", readTlsHost, showTlsHost, writer.text),
  new List(PASSTHROUGHS, 0x70, "host", readPassthrough, showPassthrough, writer.text),
]
