/** e^-x in some thirty instructions. */

const LOG2_E: f64 = 1.4426950408889634
const LN_2: f64 = 0.6931471805599453

/** Added to a number below 2^51 it leaves the nearest integer in the low bits of the double. */
const ROUND: f64 = 6755399441055744

/**
 * e^-x for x ≥ 0, with a relative error below 4·10^-6 that goes to zero with x; 0 from 700 on. With x = k·ln 2 - y and
 * |y| ≤ ln 2 / 2 it is 2^-k · e^y, and six terms of the series for e^y leave out less than |y|^6 / 6! · e^|y|.
 */
export function expOfMinus(x: f64): f64 {
  if (x >= 700) return 0
  const rounded = x * LOG2_E + ROUND
  const y = (rounded - ROUND) * LN_2 - x
  const series = 1 + y * (1 + y * (1 / 2.0 + y * (1 / 6.0 + y * (1 / 24.0 + y * (1 / 120.0)))))
  return series * powerOfHalf(reinterpret<u64>(rounded))
}

/** 2^-k for 0 ≤ k ≤ 1022, of which `k` has the low twelve bits: the exponent of a double. */
// @ts-ignore: decorator
@inline
function powerOfHalf(k: u64): f64 {
  return reinterpret<f64>((1023 - k) << 52)
}
