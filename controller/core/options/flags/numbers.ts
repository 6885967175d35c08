import { integer } from "../parser.ts"

export const port = integer(1, 65_535)
export const count = integer(0, 2 ** 31 - 1)
export const signed = integer(-(2 ** 31), 2 ** 31 - 1)
