// Material and interests in the outbox: one command with several messages, sent in order with texts.
import { describe, expect, test } from 'vitest'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { discardMessage, renewMaterial, retryEntry } from '#domain/outbox/decide.ts'
import { layOverMessages, nthOf, seqOf } from '#domain/outbox/message-overlay.ts'
import { layOverLeads } from '#domain/outbox/overlay.ts'
import { addEntry, type Entries, findHeads, UNNUMBERED } from '#domain/outbox/queue.ts'
import { applyVerdict } from '#domain/outbox/settle.ts'
import { toDelivery } from '#offline/requests.ts'
import { lead as leadOf, message as messageOf } from '#tests/support/make-app.ts'

const ANA = 'ana'
const LEAD = { id: 7, number: '551197', name: 'Rogério', instanceName: 'corretor_ana' }
const place = { latitude: 1, longitude: 2, name: 'Estande', address: null, isLive: false }
const material = {
  kind: 'material.send' as const,
  lead: LEAD,
  development: { id: 3, name: 'Mirante do Lago' },
  things: [
    { operationId: 'a', fileId: null, text: 'Planta', label: 'Planta', content: { kind: 'text' } },
    { operationId: 'b', fileId: null, text: 'Estande', label: 'Local', content: { kind: 'location', place } },
  ],
} satisfies Command
const say: Command = { kind: 'message.send', lead: LEAD, text: 'Oi', quotedMessageId: null }
const interest = (kind: 'interest.add' | 'interest.remove', name: string): Command => ({
  kind,
  lead: LEAD,
  name,
  given: { developmentId: 3 },
})

let ids = 0
function list(...commands: Command[]): Entries {
  return commands.reduce<Entries>(
    (entries, command) =>
      addEntry(entries, command, { id: `op-${ids++}`, userId: ANA, nowMs: 0 }).map((entry, at) =>
        entry.seq === UNNUMBERED ? { ...entry, seq: at + 1 } : entry,
      ),
    [],
  )
}
const numbered = (entries: Entries) =>
  entries.map((entry) => (entry.seq === UNNUMBERED ? { ...entry, seq: 99 } : entry))
const bodies = (entries: Entries) =>
  layOverMessages([], entries, { contactId: 7 }).map(({ body, delivery }) => [body, delivery])
const applied = (entries: Entries, gone: string[] = []) => {
  const problem = {
    reason: 'Saiu do cadastro.',
    theirs: null,
    changedBy: null,
    changedAtMs: null,
    isOutdated: true as const,
  }
  const verdict = {
    kind: 'applied' as const,
    messageId: 40,
    ...(gone.length > 0 && { refused: { gone, problem } }),
  }
  return numbered(applyVerdict(entries, { seq: 1, verdict }, { nowMs: 1_000, chance: 0 }))
}

test('material, and what is said of interests afterwards, go one after the other', () => {
  const removed = interest('interest.remove', 'Mirante do Lago')
  expect(findHeads(list(material, removed), ANA).map(({ command }) => command.kind)).toEqual([
    'material.send',
  ])
  expect(findHeads(list(removed, material), ANA).map(({ command }) => command.kind)).toEqual([
    'interest.remove',
  ])
})

test('texts and material of a lead go one after the other', () => {
  expect(findHeads(list(say, material, say), ANA).map(({ command }) => command.kind)).toEqual([
    'message.send',
  ])
  expect(findHeads(list(material, say), ANA).map(({ command }) => command.kind)).toEqual(['material.send'])
})

test('the request names the record’s files, and each message’s operation', () => {
  const [entry] = list(material)
  expect(entry && toDelivery(entry)).toMatchObject({
    path: '/rest/v1/rpc/material_send',
    body: {
      p_contact_id: 7,
      p_development_id: 3,
      p_things: [
        { operationId: 'a', kind: 'text', fileId: null, text: 'Planta', label: 'Planta' },
        { operationId: 'b', kind: 'location', text: 'Estande' },
      ],
    },
  })
})

describe('in the conversation', () => {
  test('all of it waits at once, in order, and is replaced by what the server has', () => {
    const entries = list(material, say)
    expect(bodies(entries)).toEqual([
      ['Planta', 'queued'],
      ['Estande', 'queued'],
      ['Oi', 'queued'],
    ])
    const here = [messageOf({ id: 40, operationId: 'a' }), messageOf({ id: 41, operationId: 'b' })]
    expect(layOverMessages(here, entries, { contactId: 7 })).toHaveLength(3)
    expect(layOverMessages(here, applied(list(material)), { contactId: 7 })).toEqual(here)
  })

  test('what is gone is refused as an entry of its own, and can be discarded or sent again', () => {
    const entries = applied(list(material), ['a'])
    expect(bodies(entries)).toEqual([
      ['Estande', null],
      ['Planta', 'failed'],
    ])
    expect(entries.map(({ id, state }) => [id, state])).toEqual([
      [expect.stringContaining('op-'), 'applied'],
      ['a', 'refused'],
    ])
    const again = retryEntry(entries, 99, { stamp: { id: 'new', userId: ANA, nowMs: 2_000 } })
    expect(again.at(-1)).toMatchObject({
      id: 'new',
      state: 'queued',
      command: { things: [{ operationId: 'a' }] },
    })
    // The answer may come twice.
    expect(applied(entries, ['a'])).toHaveLength(2)
  })

  test('outdated material has its reason under its last message, and is renewed with other things', () => {
    const entries = applied(list(material), ['a', 'b'])
    const refusals = layOverMessages([], entries, { contactId: 7 }).map(({ refusal }) => refusal)
    const refusal = { said: 'Saiu do cadastro.', isOutdated: true }
    expect(refusals).toEqual([
      { ...refusal, isLast: false },
      { ...refusal, isLast: true },
    ])
    const things = material.things.map((thing) => ({ ...thing, text: 'Nova' }))
    const stamp = { id: 'new', userId: ANA, nowMs: 2_000 }
    const renewed = renewMaterial(entries, 99, { stamp, things })
    expect(renewed.at(-1)).toMatchObject({ id: 'new', seq: 99, state: 'queued', command: { things } })
    expect(renewMaterial(entries, 99, { stamp, things: [] })).toEqual(entries)
    expect(renewMaterial(renewed, 99, { stamp, things: material.things })).toEqual(renewed)
  })

  test('one waiting message is discarded, the others stay', () => {
    const entries = list(say, material)
    const [, first, second] = layOverMessages([], entries, { contactId: 7 })
    const at = (id = 0): [number, number] => [seqOf(id), nthOf(id)]
    expect([at(first?.id), at(second?.id)]).toEqual([
      [2, 0],
      [2, 1],
    ])
    const rest = discardMessage(entries, ...at(first?.id))
    expect(bodies(rest)).toEqual([
      ['Oi', 'queued'],
      ['Estande', 'queued'],
    ])
    expect(bodies(discardMessage(rest, 2, 0))).toEqual([['Oi', 'queued']])
  })
})

describe('on the card', () => {
  const shown = (part: object, ...commands: Command[]) =>
    layOverLeads(new Map([[7, leadOf({ id: 7, ...part })]]), list(...commands), { calmSinceMs: 0 }).get(7)

  test('the last thing is the last message, and the development an interest', () => {
    expect(shown({}, material)).toMatchObject({
      lastMessage: { body: 'Estande', direction: 'outgoing', delivery: 'queued' },
      development: 'Mirante do Lago',
      interests: ['Mirante do Lago'],
    })
  })

  test('interests are added once and removed; the next one becomes the first', () => {
    const other = interest('interest.add', 'Acácias')
    expect(shown({ development: 'Vista' }, other, other)).toMatchObject({
      development: 'Vista',
      interests: ['Acácias'],
    })
    const removed = interest('interest.remove', 'Mirante do Lago')
    expect(shown({}, material, other, removed)).toMatchObject({
      development: 'Acácias',
      interests: ['Acácias'],
    })
  })

  test('a refused one changes nothing', () => {
    const [entry] = list(interest('interest.add', 'Acácias'))
    const lead = leadOf({ id: 7 })
    const entries: Entry[] = entry ? [{ ...entry, state: 'refused' }] : []
    const laid = layOverLeads(new Map([[7, lead]]), entries, { calmSinceMs: 0 }).get(7)
    expect(laid?.interests).toBeUndefined()
  })
})
