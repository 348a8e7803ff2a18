// A lead that a person adds: its possible sources, and its local id until the server has it.

/** The slugs of the sources that a person can choose; source.ts has their labels. */
export const HAND_SOURCES = ['plantao', 'indicacao', 'telefone', 'placa', 'outro'] as const

export type HandSource = (typeof HAND_SOURCES)[number]

/** Trims a name and joins its words by single spaces. */
export function tidyName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ')
}

const MIN_NAME = 2

export function isName(name: string): boolean {
  return tidyName(name).length >= MIN_NAME
}

/**
 * Returns the local id of a lead that only this device knows, derived from its operation. It is negative, because the
 * server's ids are positive.
 */
export function idOfAddition(operationId: string): number {
  return -Number.parseInt(operationId.replaceAll('-', '').slice(0, 12), 16) - 1
}
