/** The kinds of things in the zones, and what sets one apart from the others. What is read and shown of each: lists.ts. */
import { isBackendName, isExactHost, isId, isTlsHost } from "./name-rules"
import { Name } from "../host"

const COUNT: i32 = 7

export class Kind {
  /** Keys begin with it; the name stands behind. */
  readonly prefix: Name

  constructor(
    /** Its place in the order in which readers should see what is set: nothing names what is not there yet. */
    readonly order: i32,
    /** What its list is called. */
    readonly list: string,
    prefix: string,
    /** How a sentence about one begins. */
    readonly noun: string,
  ) {
    this.prefix = new Name(prefix)
  }

  /** The part of writes.ts for what is set. */
  get setPart(): i32 {
    return this.order
  }

  /** Things go in the reverse order: nothing names what is not there any more. */
  get removePart(): i32 {
    return 2 * COUNT - 1 - this.order
  }
}

/** Those with a text as name. */
export class NamedKind extends Kind {
  constructor(
    order: i32,
    list: string,
    prefix: string,
    noun: string,
    /** The sentence if no text stands where the name should. */
    readonly wanted: string,
    /** The sentence if it cannot be a name. */
    readonly rule: string,
    readonly isName: (at: usize, length: usize) => bool,
  ) {
    super(order, list, prefix, noun)
  }
}

/** Parts of writes.ts, and which of them comes last. */
export const PARTS: i32 = 2 * COUNT + 1
export const GENERATION_PART: i32 = 2 * COUNT

const AN_ID: string = "An id is expected"
const A_HOST: string = "The name of a host is expected"
/** Sentences about ids do not repeat what stands there: it might be something secret in a wrong place. */
export const ID_RULE: string = "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore"
/** A name with a colon in front would be a key of ours. */
export const BACKEND_RULE: string = "A backend's name has 1 to 253 bytes and does not begin with a colon"

export const CERTIFICATES: NamedKind = new NamedKind(
  0,
  "certificates",
  "certificates/pairs/",
  "The certificate ",
  AN_ID,
  ID_RULE,
  isId,
)
export const AUTHORITIES: NamedKind = new NamedKind(
  1,
  "authorities",
  "certificates/authorities/",
  "The authority ",
  AN_ID,
  ID_RULE,
  isId,
)
export const STAPLES: NamedKind = new NamedKind(
  2,
  "staples",
  "certificates/staples/",
  "The staple of ",
  AN_ID,
  ID_RULE,
  isId,
)
export const BACKENDS: NamedKind = new NamedKind(
  3,
  "backends",
  "backends/",
  "The backend ",
  "The name of a backend is expected",
  BACKEND_RULE,
  isBackendName,
)
export const TLS_HOSTS: NamedKind = new NamedKind(
  4,
  "tls_hosts",
  "certificates/hosts/",
  "The TLS host ",
  A_HOST,
  'A TLS host has a name in lower case, "*." and a name, "_" or ":default"',
  isTlsHost,
)
/** Their names in keys and in names.ts are `<server>/<host>`. */
export const HOSTS: Kind = new Kind(5, "routes", "routes/", "The host ")
export const PASSTHROUGHS: NamedKind = new NamedKind(
  6,
  "passthroughs",
  "passthroughs/",
  "The passthrough ",
  A_HOST,
  "A passthrough has a name in lower case",
  isExactHost,
)
