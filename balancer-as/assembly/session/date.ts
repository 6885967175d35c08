/** Dates as nginx writes them into cookies. */
import { Buffer } from "../buffer"

const DAY_SECONDS: i64 = 86_400
const WEEKDAYS: string = "ThuFriSatSunMonTueWed"
const MONTHS: string = "JanFebMarAprMayJunJulAugSepOctNovDec"
/** Years after this are written with four digits. */
const LAST_SHORT_YEAR: u32 = 2037

/** Writes seconds since 1970, e.g. `Fri, 21-Nov-25 12:30:00 GMT`; what was before then as its first second. */
export function put(out: Buffer, seconds: i64): void {
  const time = <u64>max(seconds, 0)
  const days = <u32>(time / DAY_SECONDS)
  put3(out, WEEKDAYS, days % 7)
  out.literal(", ")
  putDay(out, days)
  putClock(out, <u32>(time % DAY_SECONDS))
}

function put3(out: Buffer, names: string, place: u32): void {
  for (let i: u32 = 0; i < 3; i++) out.u8(<u8>names.charCodeAt(3 * place + i))
}

function put2(out: Buffer, number: u32): void {
  out.u8(<u8>(48 + number / 10))
  out.u8(<u8>(48 + (number % 10)))
}

/**
 * The Gregorian calendar repeats after 146,097 days. Years are counted from March on, so that a leap day is a year's last
 * day; then a month begins after (153 · month + 2) / 5 days.
 */
function putDay(out: Buffer, daysSince1970: u32): void {
  const days = daysSince1970 + 719_468
  const day = days % 146_097
  const yearOf400 = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
  const dayOfYear = day - (365 * yearOf400 + yearOf400 / 4 - yearOf400 / 100)
  const month = (5 * dayOfYear + 2) / 153
  const year = (days / 146_097) * 400 + yearOf400 + (month >= 10 ? 1 : 0)
  put2(out, dayOfYear - (153 * month + 2) / 5 + 1)
  out.u8(0x2d)
  put3(out, MONTHS, (month + 2) % 12)
  out.u8(0x2d)
  if (year > LAST_SHORT_YEAR) out.number(year)
  else put2(out, year % 100)
}

function putClock(out: Buffer, second: u32): void {
  out.u8(0x20)
  put2(out, second / 3600)
  out.u8(0x3a)
  put2(out, (second / 60) % 60)
  out.u8(0x3a)
  put2(out, second % 60)
  out.literal(" GMT")
}
