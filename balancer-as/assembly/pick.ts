/**
 * The algorithms, by their number in a record. Each is a file of its own that brings three things: how much memory it
 * needs for a backend, how that is filled when the list of endpoints is new, and the choice itself.
 */
import * as heap from "./heap"
import * as roundRobin from "./pick/round-robin"
import { Backend, Endpoint } from "./backend"

class Algorithm {
  constructor(
    readonly stateBytes: (backend: Backend) => usize,
    /** The list of endpoints is new, or another; there is at least one. */
    readonly prepare: (backend: Backend) => void,
    /** The endpoint for the attempt of attempt.ts; there is at least one. */
    readonly pick: (backend: Backend) => Endpoint,
  ) {}
}

const ALGORITHMS: StaticArray<Algorithm> = [
  new Algorithm(roundRobin.stateBytes, roundRobin.prepare, roundRobin.pick),
]

/** A number that we do not know was written by something newer: its endpoints are served in turn, as ingress-nginx does. */
function algorithmOf(backend: Backend): Algorithm {
  const number = <i32>backend.algorithm
  return ALGORITHMS[number < ALGORITHMS.length ? number : 0]
}

/** Called when a backend's endpoints were read. */
export function prepare(backend: Backend): void {
  if (backend.state != 0) heap.free(backend.state)
  backend.state = 0
  if (backend.count == 0) return
  const algorithm = algorithmOf(backend)
  backend.state = heap.allocate(algorithm.stateBytes(backend))
  algorithm.prepare(backend)
}

/** Chooses an endpoint; the backend has at least one. */
export function pick(backend: Backend): Endpoint {
  return algorithmOf(backend).pick(backend)
}
