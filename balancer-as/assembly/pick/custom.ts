/** Somebody else's policy. Round robin where the host has none. */
import * as roundRobin from "./round-robin"
import { Backend } from "../backend"

export function prepare(backend: Backend, before: Backend | null): void {
  roundRobin.prepare(backend, before)
}

export function pick(backend: Backend): u32 {
  return roundRobin.pick(backend)
}
