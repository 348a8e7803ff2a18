// Where the rows of a sorted list stand while one of them is carried, and how that is said.

/** The row in the hand: from where, over where, and how high it is in px. */
export type Drag = { from: number; to: number; height: number }

/** Which place a row would have if what is dragged were let go now. */
export function placeOf(index: number, drag: Drag): number {
  return 1 + (index === drag.from ? drag.to : index + shiftOf(index, drag))
}

/** Whether a row makes room a place up (-1) or down (1). */
export function shiftOf(index: number, { from, to }: Drag): -1 | 0 | 1 {
  if (index > from && index <= to) return -1
  return index < from && index >= to ? 1 : 0
}

export const CANCELLED = 'Movimento cancelado.'
export const pickedUp = (name: string) =>
  `${name} na mão. Use as setas para mudar a posição, espaço para soltar, Esc para cancelar.`
export const placed = (name: string, at: number, total: number) => `${name}, posição ${at + 1} de ${total}.`
export const dropped = (name: string, at: number, total: number) => `Solto. ${placed(name, at, total)}`
