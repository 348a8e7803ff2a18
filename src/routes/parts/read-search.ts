// Reads values of an address, which anybody may have typed.

/** Returns the id in an address; undefined for anything but a row's id. */
export const idOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? Number(value) : undefined

/** Returns the text in an address; undefined if it is empty, and for anything but a text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
