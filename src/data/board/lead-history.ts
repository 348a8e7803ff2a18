// Leads without a broker, and the history of each lead: how it came in and went from broker to broker.
import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import type { Role } from '#domain/session.ts'
import { keys } from '../keys.ts'

const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)

const RoutingCaseRows = v.object({
  cases: v.array(
    v.pipe(
      v.object({
        id: v.number(),
        contactId: v.number(),
        name: v.nullable(v.string()),
        number: v.nullable(v.string()),
        email: v.nullish(v.string(), null),
        development: v.nullable(v.string()),
        state: v.picklist(['waiting', 'offered', 'pool', 'inbox']),
        holder: v.nullable(v.string()),
        owner: v.nullable(v.string()),
        arrivedAt: timeMs,
        nextAt: v.nullable(timeMs),
      }),
      v.transform(({ arrivedAt, nextAt, ...row }) => ({ ...row, arrivedAtMs: arrivedAt, nextAtMs: nextAt })),
    ),
  ),
})

/**
 * A lead without a broker, with its state in the rotation. `owner` has the contact meanwhile: a central number, or
 * nobody.
 */
export type OpenRoutingCase = v.InferOutput<typeof RoutingCaseRows>['cases'][number]

/** No live event reports these leads to administrators, so the list is polled. */
const LOOK_AGAIN_MS = 5_000

export function openRoutingCasesQuery() {
  return queryOptions({
    queryKey: keys.openCases(),
    queryFn: async ({ signal }): Promise<readonly OpenRoutingCase[]> =>
      v.parse(RoutingCaseRows, await portal('/api/roleta/open', { signal })).cases,
    refetchInterval: LOOK_AGAIN_MS,
  })
}

const HistoryRows = v.object({
  courses: v.array(
    v.pipe(
      v.object({
        id: v.number(),
        development: v.nullable(v.string()),
        roleta: v.nullish(v.string(), null),
        arrivedAt: timeMs,
        events: v.nullable(
          v.array(
            v.pipe(
              v.object({ at: timeMs, text: v.string(), why: v.array(v.string()) }),
              v.transform(({ at, ...event }) => ({ ...event, atMs: at })),
            ),
          ),
        ),
        intakes: v.nullish(
          v.array(
            v.object({
              source: v.string(),
              campaign: v.nullable(v.string()),
              listing: v.nullish(v.string(), null),
              message: v.nullable(v.string()),
              fields: v.record(v.string(), v.string()),
              consentAt: v.nullable(timeMs),
              consentText: v.nullish(v.string(), null),
              receivedAt: timeMs,
              key: v.nullish(v.string(), null),
            }),
          ),
          [],
        ),
      }),
      v.transform(({ arrivedAt, events, intakes, ...leadHistory }) => ({
        ...leadHistory,
        arrivedAtMs: arrivedAt,
        events: events ?? [],
        intakes: intakes.map(({ consentAt, receivedAt, ...intake }) => ({
          ...intake,
          consentAtMs: consentAt,
          receivedAtMs: receivedAt,
        })),
      })),
    ),
  ),
})

/** One way of a lead through a rotation: how it came in, and each step with the reasons for and against each broker. */
export type LeadHistory = v.InferOutput<typeof HistoryRows>['courses'][number]

/**
 * Reads a lead's ways through rotations, newest first. Only administrators get the reasons for and against each broker.
 */
export function leadHistoryQuery(contactId: number, role: Role) {
  return queryOptions({
    queryKey: keys.leadHistory(contactId, role),
    queryFn: async ({ signal }): Promise<readonly LeadHistory[]> => {
      const place = role === 'admin' ? 'leads' : 'mine/leads'
      return v.parse(HistoryRows, await portal(`/api/roleta/${place}/${contactId}`, { signal })).courses
    },
  })
}
