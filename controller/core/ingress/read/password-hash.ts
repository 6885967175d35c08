// Hashes of passwords, by their beginnings. What nginx and crypt(3) know is told apart from what they do not, whose user could never log in, and
// from what takes so long, or so much memory, that users of other lists would wait for it.

interface Scheme {
  readonly form: RegExp
  /** whether what the form found costs too much */
  readonly isTooMuch?: (found: RegExpExecArray) => boolean
}

/** How much it may cost is up to the operator. */
const bcrypt = /^\$2[abxy]\$(\d\d)\$[./\dA-Za-z]{53}$/

const maxRounds = 1_000_000
/** nginx/passwords/src/verify.rs has the same. */
const maxArgon2 = { kib: 65_536, passes: 10, lanes: 4 }

const schemes: readonly Scheme[] = [
  // of nginx itself
  { form: /^\{PLAIN\}/ },
  { form: /^\{S?SHA\}[A-Za-z\d+/]+={0,2}$/ },
  { form: /^\$apr1\$[^$]{0,8}\$[./\dA-Za-z]{22}$/ },
  // of crypt(3)
  {
    form: /^\$[56]\$(?:rounds=(\d+)\$)?[^$]{1,16}\$[./\dA-Za-z]{43,86}$/,
    isTooMuch: ([, rounds = "0"]) => Number(rounds) > maxRounds,
  },
  // of yescrypt: 2^14 blocks of 4 KiB, once
  {
    form: /^\$g?y\$([./\dA-Za-z]+)\$[^$]+\$[./\dA-Za-z]+$/,
    isTooMuch: ([, costs = ""]) => !/^j[./\dAB][./\dA-T]$/.test(costs),
  },
  {
    form: /^\$7\$([./\dA-Za-z]{11})[^$]*\$[./\dA-Za-z]{43}$/,
    isTooMuch: ([, costs = ""]) => !/^[./\dA-C][./\dA-U]\.{4}\/\.{4}$/.test(costs),
  },
  { form: /^\$1\$[^$]{0,8}\$[./\dA-Za-z]{22}$/ },
  { form: /^\$sha1\$(\d+)\$[^$]+\$[./\dA-Za-z]+$/, isTooMuch: ([, rounds]) => Number(rounds) > maxRounds },
  { form: /^\$3\$\$[\da-f]{32}$/ },
  { form: /^[./\dA-Za-z]{13}$/ },
  // with at most 2^12 rounds
  { form: /^_[./\dA-Za-z]{2}(..)[./\dA-Za-z]{15}$/, isTooMuch: ([, rounds]) => rounds !== ".." },
  // verified here
  {
    form: /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$[A-Za-z\d+/]+\$[A-Za-z\d+/]+$/,
    isTooMuch: ([, kib, passes, lanes]) =>
      Number(kib) > maxArgon2.kib || Number(passes) > maxArgon2.passes || Number(lanes) > maxArgon2.lanes,
  },
]

/** docs/wire.md, USER_LIST. */
const maxBytes = 512

/**
 * Why nobody can log in with a hash: goes on after the user's name, without the hash. Undefined: somebody can.
 *
 * @param maxBcryptCost of the ConfigMap: each one more takes twice as long
 */
export function hashFault(hash: string, maxBcryptCost: number): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
  if (Buffer.byteLength(hash) > maxBytes || /[\u0000-\u001f\u007f]/.test(hash))
    return `has a hash of more than ${maxBytes} bytes, or with control characters`
  const [, cost] = bcrypt.exec(hash) ?? []
  if (cost !== undefined)
    return Number(cost) > maxBcryptCost
      ? `has a hash of bcrypt with cost ${Number(cost)}, more than the ${maxBcryptCost} of ConfigMap key "max-bcrypt-cost"`
      : undefined
  for (const { form, isTooMuch } of schemes) {
    const found = form.exec(hash)
    if (found !== null) return isTooMuch?.(found) ? "has a hash that costs too much to verify" : undefined
  }
  return "has no hash of a known form"
}
