// A lead added by hand: its possible sources, and its id until the server has it.

/** Slugs of the sources, see source.ts. */
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
 * The negative id of a lead that only this device knows, derived from its operation; ids of the server are
 * positive.
 */
export function idOfAddition(operationId: string): number {
  return -Number.parseInt(operationId.replaceAll('-', '').slice(0, 12), 16) - 1
}
