// The selected brokers in the address: usernames separated by spaces, in the order of selection.
import { INSTANCE_PREFIX, NO_BROKER } from '#domain/broker.ts'

/** Stands for leads without a broker; no username has a hyphen. */
const NOBODY = 'sem-corretor'

export function readSelection(text: string | undefined): readonly string[] {
  const names = (text ?? '').split(/[ ,]/).filter((name) => name !== '')
  return [...new Set(names)].map((name) => (name === NOBODY ? NO_BROKER : INSTANCE_PREFIX + name))
}

/** Returns the selection as text for the address; undefined if nobody is selected. */
export function writeSelection(instanceNames: readonly string[]): string | undefined {
  const names = instanceNames.map((name) =>
    name === NO_BROKER ? NOBODY : name.slice(INSTANCE_PREFIX.length),
  )
  return names.join(' ') || undefined
}

export function toggled(instanceNames: readonly string[], instanceName: string): readonly string[] {
  return instanceNames.includes(instanceName)
    ? instanceNames.filter((each) => each !== instanceName)
    : [...instanceNames, instanceName]
}
