// The closed list of live events: what changed, by id; whoever hears one reads again, so row rules decide what is seen.

export type PortalEvent =
  /**
   * Something on an instance's board: a lead, its last message, its stage. '' is the board of those without a broker.
   * `operationId`: the write of a device that did it, which knows it already.
   */
  | { kind: 'board'; instanceName: string; operationId?: string }
  /** A message of a lead, new or changed. */
  | { kind: 'conversation'; instanceName: string; contactId: number }
  /** An instance's WhatsApp link. */
  | { kind: 'link'; instanceName: string }
  /** A broker was added, changed, reset or removed. */
  | { kind: 'brokers'; instanceName: string }
  /** An instance's campaign began, went on or ended. */
  | { kind: 'campaign'; instanceName: string }
  /** What a broker is offered by rotations changed. */
  | { kind: 'offers'; instanceName: string }
  /** The columns of all boards changed. */
  | { kind: 'stages' }
  /** An agent, its prompts, or whom it does not answer; administrators only. */
  | { kind: 'agents' }
  /** A rotation or its seats; administrators only. */
  | { kind: 'rotations' }
  /** Events may have been missed: read again whatever is shown. */
  | { kind: 'gap' }
  /** As a line opens: nothing changed for its person since the page's first read. */
  | { kind: 'still' }

/** The event in a payload of the channel `portal`, or null for what this version does not know. */
export function readEvent(payload: string): PortalEvent | null {
  const value = parse(payload)
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null
  const { kind: eventKind } = value
  if (
    eventKind === 'gap' ||
    eventKind === 'still' ||
    eventKind === 'stages' ||
    eventKind === 'agents' ||
    eventKind === 'rotations'
  )
    return { kind: eventKind }
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
