import { family } from "../key.ts"
import { falseByDefault } from "./syntax.ts"

/** Where clients are. */
export const geo = family("Access control", {
  usesGeoip2: falseByDefault(
    "use-geoip2",
    "the databases of `--maxmind-edition-ids` say where clients are: variables `$geoip2_…`, and [lists of countries and autonomous systems](../guides/geoip.md)",
  ),
  reloadMinutes: {
    name: "geoip2-autoreload-in-minutes",
    unneeded: "another database is in force seconds after it is there, whatever this says",
    shownDefault: "`0`",
    values: "whole minutes",
    example: "60",
  },
})
