// Printed by `npm run wire` from wire/: change it there.

import {
  Algorithm,
  ROUND_ROBIN,
  EWMA,
  CHASH,
  CHASHSUBSET,
  STICKY_BALANCED,
  STICKY_PERSISTENT,
  LEAST_CONN,
  P2C,
  CUSTOM,
} from "./algorithm"

export const ALGORITHMS: StaticArray<Algorithm> = [
  ROUND_ROBIN,
  EWMA,
  CHASH,
  CHASHSUBSET,
  STICKY_BALANCED,
  STICKY_PERSISTENT,
  LEAST_CONN,
  P2C,
  CUSTOM,
]
