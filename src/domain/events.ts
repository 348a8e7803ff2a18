// The closed list of live events. An event contains only ids; the app then reads the data, so that row rules decide
// what it gets.

export type PortalEvent =
  /**
   * A lead, its last message or its stage changed on an instance's board; '' is the board of leads without a broker.
   * `operationId` is the write that caused the change. The device that wrote need not read again.
   */
  | { kind: 'board'; instanceName: string; operationId?: string }
  | { kind: 'conversation'; instanceName: string; contactId: number }
  | { kind: 'link'; instanceName: string }
  | { kind: 'brokers'; instanceName: string }
  /** A campaign of the instance began, progressed or ended. */
  | { kind: 'campaign'; instanceName: string }
  /** The offers that rotations made to the broker changed. */
  | { kind: 'offers'; instanceName: string }
  /** The stages changed, which all boards show. */
  | { kind: 'stages' }
  /** An agent, its prompts or its pauses changed. Only administrators get this event. */
  | { kind: 'agents' }
  | { kind: 'rotations' }
  /** A team changed, so these accounts now see other leads. Only administrators get this event. */
  | { kind: 'teams'; accounts: readonly string[] }
  /** Events may have been lost, so the app reads everything visible again. */
  | { kind: 'gap' }
  /** The portal's database does not answer. `gap` follows once it does. */
  | { kind: 'away' }
  /** Begins a stream if nothing has changed since the page's first read, so that the app need not read again. */
  | { kind: 'still' }

/** Parses a payload of the channel `portal`; null for an event that this version does not know. */
export function readEvent(payload: string): PortalEvent | null {
  const value = parse(payload)
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null
  const { kind: eventKind } = value
  if (
    eventKind === 'gap' ||
    eventKind === 'away' ||
    eventKind === 'still' ||
    eventKind === 'stages' ||
    eventKind === 'agents' ||
    eventKind === 'rotations'
  )
    return { kind: eventKind }
  if (eventKind === 'teams' && 'accounts' in value && Array.isArray(value.accounts))
    return { kind: eventKind, accounts: value.accounts.map(String) }
  if (!('instanceName' in value) || typeof value.instanceName !== 'string') return null
  const { kind, instanceName } = value
  if (kind === 'board' && 'operationId' in value && typeof value.operationId === 'string')
    return { kind, instanceName, operationId: value.operationId }
  if (kind === 'board' || kind === 'link' || kind === 'brokers' || kind === 'campaign' || kind === 'offers')
    return { kind, instanceName }
  if (kind === 'conversation' && 'contactId' in value && typeof value.contactId === 'number')
    return { kind, instanceName, contactId: value.contactId }
  return null
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return null
  }
}
