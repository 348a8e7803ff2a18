// Restriction and quota of a number, as WAHA reports them beside the state of its session.
import type { Incoming } from '#server/delivery.ts'
import { child, count, epochSeconds, fieldsOf, text, type Fields } from '../message/field.ts'

/** Empty if the report has neither. */
export function readLimits(payload: Fields, atMs: number): Incoming[] {
  const data = child(payload, 'data')
  const lock = fieldsOf(data['reachoutTimelock'])
  const capping = fieldsOf(data['messageCapping'])
  if (!lock && !capping) return []
  return [
    {
      event: 'limits',
      atMs,
      isRestricted: lock?.['isActive'] === true,
      restrictedUntilSeconds: epochSeconds(lock?.['timeEnforcementEnds']),
      quota: capping ? quotaOf(capping) : null,
    },
  ]
}

function quotaOf(capping: Fields) {
  const status = text(capping['cappingStatus']) ?? 'NONE'
  if (status === 'NONE') return null
  return {
    isUsedUp: status === 'CAPPED',
    total: count(capping['totalQuota']),
    used: count(capping['usedQuota']),
    endsAtSeconds: epochSeconds(capping['cycleEnd']),
  }
}
