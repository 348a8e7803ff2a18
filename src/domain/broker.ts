// A broker's names: the instance he is tied to and what people read. Spec 1, 2.9, 9.

export const INSTANCE_PREFIX = 'corretor_'

/** What a card says of its broker: the instance name without its prefix, 'Corretor' where nothing is left. */
export function brokerLabel(instanceName: string): string {
  const username = instanceName.startsWith(INSTANCE_PREFIX)
    ? instanceName.slice(INSTANCE_PREFIX.length)
    : instanceName
  return username.trim() || 'Corretor'
}
