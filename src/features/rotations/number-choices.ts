// The numbers that a field offers, with the one that stands, where something else wrote it.

/** The choices with the one that stands, where it is none of them. */
export function withStanding(choices: readonly number[], standing: number | null): readonly number[] {
  if (standing === null || choices.includes(standing)) return choices
  return [...choices, standing].toSorted((one, other) => one - other)
}
