/** Where the fields of the attempt record (docs/abi.md) stand, in 32-bit words from its start. */
export const ATTEMPT = 1
export const TAG = 2
export const TRIED = 3
export const TAGS = 4
export const WANTS = 20
export const OUTCOME = 21
export const STATUS = 22
export const HOST_VERSION = 23
export const NOTE = 24
export const NOW = 26
export const CONNECT_TIME = 28
export const FIRST_BYTE_TIME = 30
export const KEY_LENGTH = 32
export const KEY = 33

/** How many earlier attempts are told. */
export const MOST_TAGS = 16
export const NO_TAG = 0xffffffff
/** What the host offers before select: info, and its times. */
export const WANTS_INFO = 1
export const WANTS_TIMES = 2

/** What became of an attempt. */
export const Outcome = { answered: 0, noConnection: 1, noHead: 2, badHead: 3 } as const
