import { flag, planned } from "../flag.ts"
import { durationMs, list, text } from "../parser.ts"
import { signed } from "./numbers.ts"

/** Databases that say where clients are. */
export const geoip = {
  "maxmind-edition-ids": planned(
    "geoip",
    flag("NAMES", list, "GeoLite2-City,GeoLite2-ASN", "GeoIP databases, separated by commas"),
  ),
  "maxmind-license-key": planned("geoip", flag("KEY", text, "", "key to download the databases")),
  "maxmind-mirror": planned("geoip", flag("URL", text, "", "mirror of the databases")),
  "maxmind-retries-count": planned("geoip", flag("COUNT", signed, "1", "download attempts")),
  "maxmind-retries-timeout": planned(
    "geoip",
    flag("DURATION", durationMs, "0s", "delay before the second attempt"),
  ),
}
