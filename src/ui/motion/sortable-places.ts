// Where the rows of a list are while one of them is dragged, and how that is announced.

/** The dragged row's index, the index where it would land, and its height in px. */
export type Drag = { from: number; to: number; height: number }

/** Returns the place of a row, from 1, if the drag ended now. */
export function placeOf(index: number, drag: Drag): number {
  return 1 + (index === drag.from ? drag.to : index + shiftOf(index, drag))
}

/** Tells whether a row moves one place up (-1) or down (1) to make room for the dragged one. */
export function shiftOf(index: number, { from, to }: Drag): -1 | 0 | 1 {
  if (index > from && index <= to) return -1
  return index < from && index >= to ? 1 : 0
}

export const CANCELLED = 'Movimento cancelado.'
export const pickedUp = (name: string) =>
  `${name} na mão. Use as setas para mudar a posição, espaço para soltar, Esc para cancelar.`
export const placed = (name: string, at: number, total: number) => `${name}, posição ${at + 1} de ${total}.`
export const dropped = (name: string, at: number, total: number) => `Solto. ${placed(name, at, total)}`
