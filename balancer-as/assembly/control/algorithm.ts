/** How a backend chooses: by sessions before hashing, by hashing before `load-balance`, but for a policy's. */
import * as affinity from "./affinity"
import * as bytes from "../../../policy-as/assembly/lib/bytes"
import { Algorithm, Setting } from "../ids"
import * as reader from "../json/reader"
import * as settings from "./settings"
import { ALGORITHM_WORD } from "./tables"

const NAMES: StaticArray<string> = ALGORITHM_WORD.words

/** Reads `load-balance`. A name that is unknown, or needs settings to which it adds nothing, is round robin. */
export function readLoadBalance(): u8 {
  if (!reader.readText("The name of an algorithm is expected")) return Algorithm.ROUND_ROBIN
  for (let i = 0; i < NAMES.length; i++) {
    if (bytes.is(reader.text, reader.length, NAMES[i]))
      return needsSettings(<u8>i) ? Algorithm.ROUND_ROBIN : <u8>i
  }
  return Algorithm.ROUND_ROBIN
}

function needsSettings(algorithm: u8): bool {
  return algorithm >= Algorithm.CHASH && algorithm <= Algorithm.STICKY_PERSISTENT
}

/** The algorithm of a backend that was read. */
export function decide(loadBalance: u8): u8 {
  if (settings.has(Setting.COOKIE_NAME)) return affinity.algorithm
  // A policy gets the text that would be hashed.
  const isCustom = loadBalance == Algorithm.CUSTOM && settings.has(Setting.POLICY)
  if (isCustom || !settings.has(Setting.HASH_KEY)) return loadBalance
  return settings.has(Setting.SUBSET_SIZE) ? Algorithm.CHASHSUBSET : Algorithm.CHASH
}

/** A number that we do not know is served as round robin. */
export function nameOf(algorithm: u8): string {
  return NAMES[<i32>algorithm < NAMES.length ? algorithm : Algorithm.ROUND_ROBIN]
}
