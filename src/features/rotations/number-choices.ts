// Computes the numbers that a field offers, including a current value that is not among the usual ones.

/** Returns the choices, with the current value added if it is none of them. */
export function withStanding(choices: readonly number[], standing: number | null): readonly number[] {
  if (standing === null || choices.includes(standing)) return choices
  return [...choices, standing].toSorted((one, other) => one - other)
}
