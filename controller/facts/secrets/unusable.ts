/** Why a Secret cannot be used: a phrase that fits after a colon. It never repeats what is in the Secret. */
export class Unusable extends Error {}
