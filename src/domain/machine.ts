// What other systems may receive and do: the types of events, and the grants of tokens.

export const EVENT_TYPES = [
  'lead.created',
  'lead.assigned',
  'lead.offered',
  'lead.accepted',
  'lead.answered',
  'lead.moved',
  'lead.won',
  'lead.lost',
  'lead.opted_out',
  'message.received',
  'message.sent',
  'broker.link_lost',
  'campaign.finished',
  'import.finished',
  'visit.booked',
  'visit.moved',
  'visit.held',
  'visit.missed',
  'visit.cancelled',
  'development.changed',
  'material.sent',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** What a token may allow in /api/v1. */
export const MACHINE_GRANTS = [
  'leads:read',
  'leads:write',
  'messages:read',
  'messages:send',
  'brokers:read',
  'rotations:read',
  'events:read',
  'developments:read',
  'developments:write',
] as const
export type MachineGrant = (typeof MACHINE_GRANTS)[number]

/** A token is valid for at most this many days. */
export const MAX_TOKEN_DAYS = 731
