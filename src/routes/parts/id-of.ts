/** The id of a row in an address; undefined for anything else. */
export const idOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? Number(value) : undefined
