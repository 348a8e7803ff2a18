// The numbers that a field offers, including a current value that is none of them.

/** Adds the current value to the choices if it is missing. */
export function withStanding(choices: readonly number[], standing: number | null): readonly number[] {
  if (standing === null || choices.includes(standing)) return choices
  return [...choices, standing].toSorted((one, other) => one - other)
}
