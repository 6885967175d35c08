/** Two candidates, drawn at random and distinct, none of which is to be kept away from: what ewma and p2c choose between. */
import * as avoid from "../avoid"
import * as random from "../random"
import { Backend, NOWHERE } from "../backend"

/** Draws before it is taken for granted that hardly any is left. */
const MAX_DRAWS: i32 = 32

export let a: u32 = 0
/** The same as `a` when hardly any other is left. */
export let b: u32 = 0

/** Draws `a` and `b`. */
export function draw(backend: Backend): void {
  if (avoid.isNeeded) return drawWithCare(backend)
  const bits = random.bits()
  const count = backend.count
  a = random.scale(<u32>(bits >> 32), count)
  b = a
  if (count == 1) return
  b = random.scale(<u32>bits, count - 1)
  if (b >= a) b++
}

/**
 * An endpoint that warms up is the idle one of most pairs: it is drawn as the first one only, and so not chosen more often than
 * it is drawn.
 */
function drawWithCare(backend: Backend): void {
  const first = drawAny(backend)
  a = first == NOWHERE ? avoid.leftover(backend) : first
  const second = drawWarm(backend, a)
  b = second == NOWHERE ? a : second
}

function drawAny(backend: Backend): u32 {
  for (let i = 0; i < MAX_DRAWS; i++) {
    const index = random.below(backend.count)
    if (!avoid.from(backend, index)) return index
  }
  return NOWHERE
}

function drawWarm(backend: Backend, than: u32): u32 {
  for (let i = 0; i < MAX_DRAWS; i++) {
    const index = random.below(backend.count)
    if (index != than && !avoid.isWarming(backend, index) && !avoid.from(backend, index)) return index
  }
  return NOWHERE
}
