/** Bytes of a text of a route: a header's value, a template (docs/wire.md, HOST). */
export const maxTextBytes = 4096

/** Bytes of a template that a user writes a part of: scheme and host come before it, or a parameter behind it, and together they are one. */
export const maxPartBytes = 3500
