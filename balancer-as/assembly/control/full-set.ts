/**
 * `POST /configuration/backends`: the full set of backends as ingress-nginx posts it. What is not in it is removed. The
 * generation is forgotten, so that our own controller sends everything anew.
 */
import * as answer from "./answer"
import { applyAndAnswer } from "./outcome"
import * as error from "../json/error"
import * as generation from "./generation"
import { BACKENDS, GENERATION_PART } from "./kinds"
import * as keys from "./keys"
import * as names from "./names"
import * as listing from "./listing"
import { readBackend } from "./backend"
import * as reader from "../json/reader"
import { DELETE } from "./writes"
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
  if (!removeOthers()) return answer.sendUnable("The host cannot list the keys of a zone")
  const key = keys.GENERATION
  writes.write(GENERATION_PART, key.at, key.length, 0, DELETE, generation.cas)
  applyAndAnswer(0, 0)
}

function removeOthers(): bool {
  listing.begin(BACKENDS.prefix, 0)
  while (listing.nextPage(KEYS_AT_ONCE)) {
    while (listing.next()) {
      if (!names.has(BACKENDS, listing.at, listing.length))
        writes.remove(BACKENDS, listing.at, listing.length)
    }
  }
  return !listing.failed
}
