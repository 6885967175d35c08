/** Where the fields of the attempt record stand in 32-bit words from its start, as views of a memory count them. */
import { at } from "../abi.ts"

export const ATTEMPT = at.attempt / 4
export const TAG = at.tag / 4
export const TRIED = at.tried / 4
export const TAGS = at.tags / 4
export const WANTS = at.wants / 4
export const OUTCOME = at.outcome / 4
export const STATUS = at.status / 4
export const VERSION = at.version / 4
export const NOTE = at.note / 4
export const NOW = at.now / 4
export const CONNECT_TIME = at.connectTime / 4
export const FIRST_BYTE_TIME = at.firstByteTime / 4
export const KEY_LENGTH = at.keyLength / 4
export const KEY = at.key / 4
