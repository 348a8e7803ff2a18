// Values of an address, which anybody may have typed.

/** The id of a row; undefined for anything else. */
export const idOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? Number(value) : undefined

/** A text; undefined for an empty one and for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
