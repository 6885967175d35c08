import { family } from "../key.ts"
import { none } from "../usage.ts"
import { falseByDefault } from "./syntax.ts"

/** Where clients are. */
export const geo = family("Access control", {
  usesGeoip2: falseByDefault(
    "use-geoip2",
    "the databases of `--maxmind-edition-ids` say where clients are: variables `$geoip2_…`, and [lists of countries and autonomous systems](../guides/geoip.md)",
  ),
  reloadMinutes: {
    name: "geoip2-autoreload-in-minutes",
    isUnneeded: true,
    shownDefault: "`0`",
    values: "whole minutes",
    example: "60",
    description: "nothing: another database is in force seconds after it is there, whatever this says",
  },
  usesFormerGeoip: {
    name: "use-geoip",
    isUnneeded: true,
    shownDefault: none,
    values: "`true` or `false`",
    example: "true",
    description:
      "nothing, as in ingress-nginx 1.15: the databases that it was about are not made any more. `use-geoip2` is about those that are",
  },
})
