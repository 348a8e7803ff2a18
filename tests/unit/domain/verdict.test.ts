// The effect of a response on an outbox entry, and when it is retried.
import { expect, it } from 'vitest'
import { type Answer, backOffMs, type Reading, readRetryAfter, verdictOf } from '#domain/outbox/verdict.ts'
import { table } from '#tests/support/table.ts'

const problem = { reason: 'Não.', theirs: 'x', changedBy: 'bia', changedAtMs: 5 }
const reading = (code: string): Reading => ({ code, problem, messageId: null })
const answer = (status: number, part: Partial<Answer> = {}): Answer => ({
  status,
  retryAfterMs: null,
  reading: null,
  ...part,
})

it.each([
  ['no answer', answer(0), { kind: 'network' }],
  ['a hotel’s sign-in page', answer(200), { kind: 'network' }],
  ['a proxy’s refusal', answer(403), { kind: 'network' }],
  ['nobody signed in', answer(401), { kind: 'session' }],
  ['too many', answer(429, { retryAfterMs: 9 }), { kind: 'later', retryAfterMs: 9, isFault: false }],
  ['too slow', answer(408), { kind: 'later', retryAfterMs: null, isFault: false }],
  ['a fault', answer(500), { kind: 'later', retryAfterMs: null, isFault: true }],
  ['a restart', answer(503), { kind: 'later', retryAfterMs: null, isFault: false }],
  ['moved', answer(200, { reading: reading('moved') }), { kind: 'applied', messageId: null }],
  ['there already', answer(200, { reading: reading('already') }), { kind: 'applied', messageId: null }],
  ['saved', answer(200, { reading: reading('saved') }), { kind: 'applied', messageId: null }],
  ['another was faster', answer(200, { reading: reading('conflict') }), { kind: 'conflict', problem }],
  ['gone', answer(200, { reading: reading('unknown_lead') }), { kind: 'refused', problem }],
  ['refused', answer(422, { reading: reading('refused') }), { kind: 'refused', problem }],
])('%s', (_, given, verdict) => expect(verdictOf(given)).toEqual(verdict))

it.each([
  [1, 0, 2_000],
  [1, 1, 1_000],
  [2, 0, 4_000],
  [5, 0, 32_000],
  [9, 0, 300_000],
  [900, 0, 300_000],
  [900, 1, 150_000],
])('attempt %i with random number %f waits %i ms', (attempts, chance, waitMs) =>
  expect(backOffMs(attempts, chance)).toBe(waitMs),
)

table('Retry-After %s', (header) => readRetryAfter(header, 0), [
  [null, null],
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['Thu, 01 Jan 1960 00:00:00 GMT', 0],
  ['amanhã', null],
])
