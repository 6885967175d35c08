import type { Facts } from "../../model/facts.ts"
import type { ObjectStatus } from "../../model/object-status.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { Snapshot } from "../../model/snapshot.ts"
import type { KeyPair } from "../../model/tls-secret.ts"
import type { DeclaredBackend } from "./backend.ts"
import type { DeclaredHost } from "./host.ts"
import type { DeclaredListener } from "./listener.ts"
import type { DeclaredPassthrough } from "./passthrough.ts"
import type { Rule } from "./rule.ts"
import type { DeclaredStream } from "./stream.ts"
import type { DeclaredTls } from "./tls.ts"

// What a family of objects says, in words that no family owns. Nothing here knows what stands behind a Service, or how nginx is configured.

/**
 * What the objects of a front end say together, with conflicts between them settled. Lists and what is in them are the same objects as in the pass
 * before as long as they say the same: their readers find by identity what has changed.
 */
export interface Declarations {
  /** in the order of their hosts */
  readonly hosts: readonly DeclaredHost[]
  /** of no host, as those of canaries; but the backends that they name are used */
  readonly otherRules: readonly Rule[]
  /** all that rules, passthroughs and streams name; in the order of their names */
  readonly backends: readonly DeclaredBackend[]
  /** in the order of `tlsPlace`; every host has one that is not just for plain HTTP */
  readonly tls: readonly DeclaredTls[]
  /** in the order of their hosts */
  readonly passthroughs: readonly DeclaredPassthrough[]
  /** ports that nginx listens on for `hosts` with listeners of their own; of several for one port the first counts */
  readonly listeners: readonly DeclaredListener[]
  /** each port of a protocol once */
  readonly streams: readonly DeclaredStream[]
  /** of the objects that were read, one for each that has one; absent: of none */
  readonly statuses?: readonly ObjectStatus[]
  /** in an order that depends on the objects only */
  readonly problems: readonly Problem[]
  /** whether a Secret is used for handshakes, or named for them. @param name `namespace/name` */
  readonly usesSecret: (name: string) => boolean
  /** the objects and the backends that their rules name, when somebody asks */
  readonly sources: () => Iterable<DeclaredSource>
}

export const noDeclarations: Declarations = {
  hosts: [],
  otherRules: [],
  backends: [],
  tls: [],
  passthroughs: [],
  listeners: [],
  streams: [],
  problems: [],
  usesSecret: () => false,
  sources: () => [],
}

/** An object that names backends. */
export interface DeclaredSource {
  readonly source: ObjectName
  /** `BackendRef.key` of each, canaries aside */
  readonly backends: readonly string[]
}

/** What a front end needs to know that stands in no object. */
export interface FrontEndFacts extends Pick<Facts, "tlsSecrets" | "policies" | "ruleSets"> {
  /** what names without a certificate of their own show; absent: one that nobody knows */
  readonly defaultPair: KeyPair | undefined
}

/** Reads one family of objects, pass after pass, and remembers what it has read. Which object wins a conflict is its own rule. */
export interface FrontEnd {
  /** @returns the same object as long as nothing changes */
  declare(objects: Snapshot, facts: FrontEndFacts): Declarations
}
