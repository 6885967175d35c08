// Sentences that refuse parts of several kinds.
export const A_BACKEND = "A backend's name has 1 to 253 bytes and does not begin with a colon"
export const A_TOKEN = "takes letters, digits and !#$%&'*+-.^_`|~/: only"
export const A_TIME = "Milliseconds from 1 to 2147483647 are expected"
export const A_DIGEST = "64 hexadecimal digits in lower case are expected"
export const A_VARIABLE = "A variable's name has 1 to 63 bytes of a-z, 0-9 and _"
export const CONTROL = "must not contain control characters"
export const AN_ID = "An id has 1 to 64 bytes of A-Z, a-z, 0-9, dash and underscore"
export const CIPHERS = "A list of ciphers has 1 to 4096 bytes of A-Z, a-z, 0-9 and !:+@=_-"
export const A_HOST = 'is no host: a name in lower case, "*." or "**." and a name, or "_"'
