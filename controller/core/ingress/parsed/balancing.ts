import type { AffinityCookie, CookieAffinity, TrafficShaping } from "../../../model/backend.ts"
import { type LoadBalancing, usualBalancing } from "../../declared/load-balancing.ts"

/** What an Ingress says about the backends it names. */
export interface Balancing {
  /** of several Ingresses the oldest that names the backend decides all of it */
  readonly loadBalancing: LoadBalancing
  readonly affinity?: Affinity
  /** the Ingress is a canary */
  readonly canary?: Canary
}

/** Sessions. Of several Ingresses that want some for a backend the oldest decides about their form, and each where they begin. */
export interface Affinity {
  readonly mode: CookieAffinity["mode"]
  readonly cookie: Omit<AffinityCookie, "sessionsOf">
}

export interface Canary {
  readonly shaping: TrafficShaping
  /** clients that came to it stay with it, as with the backend whose place it takes */
  readonly isSticky: boolean
  /** wants to be used although that backend has a canary already */
  readonly isNWay: boolean
}

/** That of an Ingress without annotations about it: one object for all of them. */
export const defaultBalancing: Balancing = { loadBalancing: usualBalancing }
