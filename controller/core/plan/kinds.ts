import { isDeepStrictEqual } from "node:util"
import { type AddressList, isSameUserList, type UserList } from "../../model/access.ts"
import { type Authority, isSameCertificate } from "../../model/certificate.ts"
import { byHost, type HostName } from "../../model/host-name.ts"
import type { Live, LiveKind, LiveThings } from "../../model/model.ts"
import type { Host } from "../../model/route.ts"
import { isSameById } from "../../support/content-name.ts"
import { compareText } from "../../support/order.ts"

/** How things of a kind are told apart, put in order and compared. */
export interface KindRules<T, Name> {
  readonly nameOf: (thing: T) => Name
  /** strict, of names */
  readonly order: (a: Name, b: Name) => number
  /** the name as one text */
  readonly keyOf: (name: Name) => string
  /** of two of the same name that are not the same object */
  readonly isSame: (a: T, b: T) => boolean
  /** a thing of this name that is the same as none that is ever wanted */
  readonly unlike: (thing: T) => T
}

export type NameOf<Kind extends LiveKind> = Kind extends "hosts" ? HostName : string

/**
 * The kinds of things in the live half, in the order in which they take effect: what is named before what names it. They go in reverse. Certificates, authorities and lists of addresses and users are called by a hash of
 * their content: those of one name are the same, but for one that `unlike` made.
 */
export const kinds: { readonly [Kind in LiveKind]: KindRules<LiveThings[Kind], NameOf<Kind>> } = {
  certificates: {
    ...namedByContent(({ chain }) => chain.length === 0, isSameCertificate),
    unlike: (certificate) => ({ ...certificate, chain: [] }),
  },
  authorities: {
    ...namedByContent(({ certificates }: Authority) => certificates.length === 0, isDeepStrictEqual),
    unlike: (authority) => ({ ...authority, certificates: [] }),
  },
  staples: {
    ...named(({ certificate }) => certificate),
    unlike: (staple) => ({ ...staple, response: "" }),
  },
  backends: {
    ...named(({ name }) => name),
    unlike: (backend) => ({ ...backend, endpoints: [] }),
  },
  tlsHosts: {
    ...named(({ host }) => host),
    unlike: (host) => ({ ...host, ciphers: "" }),
  },
  addressLists: {
    ...namedByContent(({ ranges }: AddressList) => ranges.length === 0, isDeepStrictEqual),
    unlike: (list) => ({ ...list, ranges: [] }),
  },
  userLists: {
    ...namedByContent(({ users }: UserList) => users.length === 0, isSameUserList),
    unlike: (list) => ({ ...list, users: [] }),
  },
  hosts: {
    nameOf: ({ server, host }: Host) => ({ server, host }),
    order: byHost,
    keyOf: ({ server, host }) => `${server}/${host}`,
    isSame: isDeepStrictEqual,
    unlike: ({ server, host }) => ({ server, host, routes: [] }),
  },
  passthroughs: {
    ...named(({ host }) => host),
    unlike: (passthrough) => ({ ...passthrough, backend: "" }),
  },
  streams: {
    ...named(({ name }) => name),
    unlike: (stream) => ({ ...stream, backend: "" }),
  },
}

export const kindsInOrder = Object.keys(kinds) as readonly LiveKind[]

/** The live half that has these lists. */
export function liveOf(list: <Kind extends LiveKind>(kind: Kind) => readonly LiveThings[Kind][]): Live {
  return Object.fromEntries(kindsInOrder.map((kind) => [kind, list(kind)])) as unknown as Live
}

function named<T>(nameOf: (thing: T) => string): Omit<KindRules<T, string>, "unlike"> {
  return { nameOf, order: compareText, keyOf: (name) => name, isSame: isDeepStrictEqual }
}

/** @param isUnlike whether `unlike` made it */
function namedByContent<T extends { readonly id: string }>(
  isUnlike: (thing: T) => boolean,
  isSame: (a: T, b: T) => boolean,
): Omit<KindRules<T, string>, "unlike"> {
  return {
    ...named(({ id }: T) => id),
    isSame: (a, b) => !isUnlike(a) && !isUnlike(b) && isSameById(a, b, isSame),
  }
}
