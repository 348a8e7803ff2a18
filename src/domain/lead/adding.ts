// A lead that a person adds by hand: where it may have come from, and its name until the server has it.

/** Where it came from, by slug, as source.ts reads it. */
export const HAND_SOURCES = ['plantao', 'indicacao', 'telefone', 'placa', 'outro'] as const

export type HandSource = (typeof HAND_SOURCES)[number]

/** As names are kept: without spaces around, one between words. */
export function tidyName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ')
}

const SHORTEST_NAME = 2

export function isName(name: string): boolean {
  return tidyName(name).length >= SHORTEST_NAME
}

/** The negative id of a lead that only this device knows, made of the operation that adds it: no lead of the server has one. */
export function idOfAddition(operationId: string): number {
  return -Number.parseInt(operationId.replaceAll('-', '').slice(0, 12), 16) - 1
}
