import { type GeoEdition, geoEditions } from "../../../model/geo-edition.ts"
import { nearest } from "../../../support/nearest.ts"
import { flag } from "../flag.ts"
import { accepted, durationMs, list, type Parser, refused, text } from "../parser.ts"
import { signed } from "./numbers.ts"

const editions: Parser<readonly GeoEdition[]> = (names) => {
  const { value: wanted } = list(names)
  const unknown = wanted.find((name) => !isEdition(name))
  if (unknown === undefined) return accepted([...new Set(wanted.filter(isEdition))])
  const known = nearest(unknown, geoEditions)
  return refused(
    known === undefined
      ? `write names of ${geoEditions.join(", ")}`
      : `there is no database ${unknown}, did you mean ${known}?`,
  )
}

function isEdition(name: string): name is GeoEdition {
  return geoEditions.some((edition) => edition === name)
}

/** What it has of names and passwords would stand in the log of the server. */
const mirror: Parser<string> = (written) => {
  if (written === "") return accepted("")
  const url = URL.parse(written)
  const isUsable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.search === "" &&
    url.hash === ""
  return isUsable
    ? accepted(written.replace(/\/+$/, ""))
    : refused("write a URL of http or https without user, query and fragment")
}

/** Databases that say where clients are. */
export const geoip = {
  "maxmind-edition-ids": flag(
    "NAMES",
    editions,
    "GeoLite2-City,GeoLite2-ASN",
    "GeoIP databases, separated by commas: NAME.mmdb in --geoip-dir",
  ),
  "maxmind-license-key": flag("KEY", text, "", "key to download the databases from MaxMind, once a day"),
  "maxmind-mirror": flag("URL", mirror, "", "download the databases from here instead: URL/NAME.tar.gz"),
  "maxmind-retries-count": flag(
    "COUNT",
    signed,
    "1",
    "download attempts in a row, where the server refuses connections",
  ),
  "maxmind-retries-timeout": flag(
    "DURATION",
    durationMs,
    "0s",
    "delay before the second attempt, half as much more before each further one; 0 for no second one",
  ),
}
