/**
 * `POST /configuration/backends`: the full set of backends as ingress-nginx posts it. What is not in it is removed. The
 * generation is forgotten, so that our own controller sends everything anew.
 */
import * as answer from "./answer"
import { applyAndAnswer } from "./outcome"
import * as error from "../json/error"
import * as generation from "./generation"
import { hasBackend } from "./names"
import * as keys from "./keys"
import * as listing from "./listing"
import { readBackend } from "./backend"
import * as reader from "../json/reader"
import { DELETE, Part } from "./writes"
import * as writes from "./writes"

const KEYS_AT_ONCE: u32 = 512

export function postBackends(body: usize, length: usize): void {
  reader.begin(body, length)
  reader.enterArray()
  while (reader.nextItem()) readBackend()
  reader.finish()
  if (error.failed) return answer.sendRefusal()
  // Its cas number, read before the keys are listed, guards the list too.
  generation.read()
  if (!removeOthers()) return answer.sendError(500, "The host cannot list the keys of a zone")
  const key = keys.GENERATION
  writes.write(Part.GENERATION, key.at, key.length, 0, DELETE, generation.cas)
  applyAndAnswer(0, 0)
}

function removeOthers(): bool {
  listing.begin(keys.BACKENDS, 0)
  while (listing.nextPage(KEYS_AT_ONCE)) {
    while (listing.next()) {
      if (hasBackend(listing.at, listing.length)) continue
      keys.ofBackend(listing.at, listing.length)
      writes.remove(Part.REMOVE_BACKENDS)
    }
  }
  return !listing.failed
}
