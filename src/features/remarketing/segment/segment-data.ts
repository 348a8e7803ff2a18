// Reads segments, their leads and the results of their campaigns. Saves segments and starts campaigns.
import { infiniteQueryOptions, keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal, rpc } from '#api/client.ts'
import { upload } from '#api/upload.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { toRefusal } from '#data/refusal.ts'
import { type LeftOut, type SegmentQuestion, trimQuestion } from '#domain/segment.ts'
import type { OutgoingFile } from '#offline/stores.ts'

const PAGE = 50
const all = () => [...keys.campaignReport(), 'segments'] as const
const texts = v.optional(v.array(v.string()))

const Question = v.object({
  stages: texts,
  developments: v.optional(v.array(v.number())),
  sources: texts,
  tags: texts,
  withoutTags: texts,
  quietDays: v.optional(v.number()),
  contact: v.optional(v.array(v.picklist(['never-contacted', 'never-answered']))),
  visit: v.optional(v.array(v.picklist(['held', 'missed']))),
  minCents: v.optional(v.number()),
  maxCents: v.optional(v.number()),
  withoutValue: v.optional(v.boolean()),
})

const Segments = v.object({
  segments: v.array(v.object({ id: v.number(), name: v.string(), question: Question })),
  stages: v.array(v.object({ value: v.string(), label: v.string() })),
  developments: v.array(v.object({ value: v.number(), label: v.string() })),
  sources: v.array(v.string()),
  tags: v.array(v.string()),
})

/** A question that this version of the app cannot read counts as one without conditions. */
export function readQuestion(stored: unknown): SegmentQuestion {
  const read = v.safeParse(Question, stored)
  return read.success ? toQuestion(read.output) : {}
}

const toQuestion = (read: v.InferOutput<typeof Question>): SegmentQuestion =>
  trimQuestion(read as SegmentQuestion)

export type SavedSegment = { id: number; name: string; question: SegmentQuestion }
export type SegmentOffer = Omit<v.InferOutput<typeof Segments>, 'segments'> & {
  segments: readonly SavedSegment[]
}

/** The saved segments, and the values that conditions can have. */
export function segmentsQuery() {
  return queryOptions({
    queryKey: [...all(), 'saved'],
    queryFn: cachedOffline(
      { kind: 'segments', most: 1, version: 1 },
      async ({ signal }): Promise<SegmentOffer> => {
        const { segments, ...offer } = v.parse(Segments, await rpc('get_segments', {}, signal))
        return {
          ...offer,
          segments: segments.map(({ question, ...saved }) => ({ ...saved, question: toQuestion(question) })),
        }
      },
    ),
  })
}

const CountAnswer = v.object({
  matching: v.number(),
  eligible: v.number(),
  receiving: v.number(),
  heldOut: v.number(),
  leftOut: v.record(v.string(), v.number()),
  private: v.number(),
  restDays: v.number(),
  brokerCount: v.number(),
  without: v.optional(v.nullable(v.object({ condition: v.string(), count: v.number() })), null),
  pace: v.nullable(v.object({ perHour: v.number(), opensAt: v.number(), closesAt: v.number() })),
  endsAt: v.nullable(v.string()),
  nowMs: v.number(),
  zone: v.string(),
})
export type SegmentCount = v.InferOutput<typeof CountAnswer>

export type Asked = { question: SegmentQuestion; percent: number | null }

/** While a new count is running, `data` keeps the earlier one. */
export function countQuery({ question, percent }: Asked) {
  return queryOptions({
    queryKey: [...all(), 'count', question, percent],
    queryFn: async ({ signal }): Promise<SegmentCount> =>
      v.parse(
        CountAnswer,
        await portal('/api/campaigns/segments/count', {
          method: 'POST',
          body: { question, percent },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

const LeadsAnswer = v.object({
  count: v.number(),
  gone: v.optional(v.number(), 0),
  leads: v.array(
    v.object({
      id: v.number(),
      name: v.nullable(v.string()),
      number: v.nullable(v.string()),
      broker: v.nullable(v.string()),
      status: v.string(),
      development: v.nullable(v.string()),
      talkedAt: v.string(),
    }),
  ),
})
export type SegmentLead = v.InferOutput<typeof LeadsAnswer>['leads'][number]

/** The leads that a number counts: one of a question, or one of a campaign's result. */
export type SegmentList = { title: string } & (
  | ({ group: LeftOut | 'campaign' | 'holdout' } & Asked)
  | { sendId: number; measure: string; arm: 'campaign' | 'holdout' }
)

export function segmentLeadsQuery(list: SegmentList) {
  const { title: _title, ...asked } = list
  return infiniteQueryOptions({
    queryKey: [...all(), 'leads', asked],
    queryFn: async ({ pageParam, signal }) => v.parse(LeadsAnswer, await leadsOf(list, pageParam, signal)),
    initialPageParam: 0,
    getNextPageParam: ({ leads }, pages) => (leads.length < PAGE ? undefined : pages.length * PAGE),
    staleTime: 0,
  })
}

const leadsOf = (list: SegmentList, skip: number, signal: AbortSignal) =>
  'group' in list
    ? rpc(
        'get_segment_leads',
        { p_question: list.question, p_group: list.group, p_percent: list.percent, p_skip: skip },
        signal,
      )
    : rpc(
        'get_segment_result_leads',
        { p_send: list.sendId, p_measure: list.measure, p_arm: list.arm, p_skip: skip },
        signal,
      )

/** `id` null: saves a new segment. Returns its id. Rejects with the server's PortalError, in Portuguese. */
export const saveSegment = () =>
  mutationOptions({
    mutationFn: async (
      { id, name, question }: { id: number | null; name: string; question: SegmentQuestion },
      { client },
    ) => {
      const answer = await rpc('segment_save', { p_id: id, p_name: name, p_question: question }).catch(
        (error: unknown) => {
          throw toRefusal(error)
        },
      )
      const saved = v.parse(v.number(), answer)
      await client.invalidateQueries({ queryKey: segmentsQuery().queryKey })
      return saved
    },
  })

export const removeSegment = () =>
  mutationOptions({
    mutationFn: async (id: number, { client }) => {
      await rpc('segment_remove', { p_id: id })
      await client.invalidateQueries({ queryKey: segmentsQuery().queryKey })
    },
  })

export type SegmentStart = Asked & {
  operationId: string
  segmentId: number | null
  message: string
  /** ISO 8601; null: now. */
  startsAt: string | null
  marks: boolean
}
const StartAnswer = v.object({
  send: v.object({ receiving: v.number(), heldOut: v.number(), campaigns: v.number() }),
})

/** Repeating an operation id starts no second campaign. Rejects with the server's PortalError, in Portuguese. */
export const startSegment = () =>
  mutationOptions({
    mutationFn: async (
      {
        start,
        file,
        onProgress,
      }: { start: SegmentStart; file: OutgoingFile | null; onProgress: (ratio: number) => void },
      { client },
    ) => {
      const path = '/api/campaigns/segments'
      const answer = file
        ? await upload({
            path,
            body: withFile(start, file),
            onProgress,
            signal: new AbortController().signal,
          })
        : await portal(path, { method: 'POST', body: start })
      void client.invalidateQueries({ queryKey: keys.campaignReport() })
      return v.parse(StartAnswer, answer).send
    },
  })

function withFile(start: SegmentStart, { file, ...media }: OutgoingFile): FormData {
  const body = new FormData()
  body.append('message', JSON.stringify({ ...start, media }))
  body.append('file', file, media.fileName)
  return body
}

const Sends = v.object({
  count: v.number(),
  sends: v.array(
    v.object({
      id: v.number(),
      name: v.nullable(v.string()),
      message: v.string(),
      by: v.string(),
      assignedAt: v.string(),
      shownAt: v.string(),
      judgedAt: v.string(),
      receiving: v.number(),
      heldOut: v.number(),
      days: v.nullable(v.number()),
      sent: v.number(),
      isOver: v.boolean(),
    }),
  ),
})
export type SegmentSend = v.InferOutput<typeof Sends>['sends'][number]
const SENDS = 20

/** The newest pages of campaigns to segments. */
export function sendsQuery(pages: number) {
  return queryOptions({
    queryKey: [...all(), 'sends', pages],
    queryFn: cachedOffline({ kind: 'segment-sends', most: 1, version: 1 }, async ({ signal }) => {
      const found: SegmentSend[] = []
      let count = 0
      for (let page = 0; page < pages; page++) {
        const answer = v.parse(Sends, await rpc('get_segment_sends', { p_skip: page * SENDS }, signal))
        found.push(...answer.sends)
        count = answer.count
      }
      return { sends: found, hasMore: found.length < count }
    }),
    placeholderData: keepPreviousData,
  })
}

const pair = v.tuple([v.number(), v.number()])
const Result = v.object({
  days: v.nullable(v.number()),
  measures: v.array(
    v.object({
      measure: v.string(),
      campaign: pair,
      holdout: pair,
      rates: v.optional(pair),
      difference: v.optional(v.number()),
      range: v.optional(pair),
      verdict: v.optional(v.picklist(['more', 'less', 'open'])),
    }),
  ),
})
export type SegmentResult = v.InferOutput<typeof Result>
export type SegmentMeasure = SegmentResult['measures'][number]

export function resultQuery(sendId: number) {
  return queryOptions({
    queryKey: [...all(), 'result', sendId],
    queryFn: async ({ signal }) =>
      v.parse(Result, await rpc('get_segment_result', { p_send: sendId }, signal)),
  })
}
