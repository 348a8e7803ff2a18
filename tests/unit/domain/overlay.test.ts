// The screen shows the server's data with outbox entries applied.
import { describe, expect, it } from 'vitest'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { changeFault } from '#domain/message/change.ts'
import type { Message } from '#domain/message/message.ts'
import { isChangeRead, layOverMessages, isTextRead } from '#domain/outbox/message-overlay.ts'
import { layOverLeads, withAdditions } from '#domain/outbox/overlay.ts'
import { entry as entryOf, lead, message } from '#tests/support/make-app.ts'

const ref = { id: 7, number: null, name: 'Rogério', instanceName: 'corretor_ana' }
const entry = (command: Command, part: Partial<Entry> = {}) =>
  entryOf(command, { createdAtMs: 1_800_000_000_000, ...part })
const move = (toSlug: string): Command => ({ kind: 'lead.move', lead: ref, fromSlug: 'new', toSlug })
const note = (text: string): Command => ({ kind: 'lead.note', lead: ref, base: '', text })
const say = (text: string): Command => ({ kind: 'message.send', lead: ref, text, quotedMessageId: null })
const rogerio = lead({
  id: 7,
  stageSlug: 'new',
  unreadCount: 2,
  lastMessage: { body: 'Oi', sentAtSeconds: 1_700_000_000, direction: 'incoming', delivery: null },
})
const other = lead({ id: 8 })
const board = new Map([rogerio, other].map((each) => [each.id, each]))
const shown = (...entries: Entry[]) => layOverLeads(board, entries, { calmSinceMs: 0 }).get(7)

describe('leads', () => {
  it('marked as private are gone, until unmarked or refused', () => {
    const hide: Command = { kind: 'lead.private', lead: ref, given: { number: null } }
    const back: Command = { kind: 'lead.public', lead: ref, given: { privateId: null, markedBy: 'op' } }
    for (const state of ['queued', 'applied'] as const) expect(shown(entry(hide, { state }))).toBeUndefined()
    expect(shown(entry(hide), entry(back))).toBe(rogerio)
    expect(shown(entry(hide), entry(back), entry(hide))).toBeUndefined()
    expect(shown(entry(hide, { state: 'refused' }))?.waiting).toBe('unsaved')
    expect(shown(entry(note('x')), entry(hide))).toBeUndefined()
  })
  it('without entries the same object; leads without entries stay the same objects', () => {
    expect(layOverLeads(board, [], { calmSinceMs: 0 })).toBe(board)
    expect(layOverLeads(board, [entry({ ...move('x'), lead: { ...ref, id: 99 } })], { calmSinceMs: 0 })).toBe(
      board,
    )
    expect(layOverLeads(board, [entry(move('x'))], { calmSinceMs: 0 }).get(8)).toBe(other)
  })
  it('moved to a won or lost stage stop waiting, unless a message came since', () => {
    const waits = { ...rogerio, waitingSinceMs: 1_700_000_000_000 }
    const closed = (createdAtMs: number, state: Entry['state'] = 'queued') =>
      layOverLeads(new Map([[7, waits]]), [entry(move('arquivado'), { createdAtMs, state })], {
        calmSinceMs: 0,
        closedSlugs: new Set(['arquivado']),
      }).get(7)?.waitingSinceMs
    expect(closed(1_700_000_060_000)).toBeNull()
    expect(closed(1_699_999_990_000)).toBe(1_700_000_000_000)
    expect(closed(1_700_000_060_000, 'refused')).toBe(1_700_000_000_000)
  })
  it.each([
    ['waiting', 'queued', 'negociacao', null],
    ['applied, not yet seen', 'applied', 'negociacao', null],
    ['in conflict: where the server has her', 'conflict', 'new', 'conflict'],
    ['refused: the same', 'refused', 'new', 'unsaved'],
  ] as const)('a move that is %s', (_, state, stageSlug, waiting) => {
    expect(shown(entry(move('negociacao'), { state }))).toMatchObject({ stageSlug, waiting })
  })
  it('the last of several moves counts', () => {
    expect(
      shown(entry(move('conversa'), { state: 'applied' }), entry(move('new'), { seq: 2 }))?.stageSlug,
    ).toBe('new')
  })
  it.each(['queued', 'conflict', 'refused', 'applied'] as const)('text that is %s stays visible', (state) => {
    expect(shown(entry(note('Liga na terça'), { state }))?.notes).toBe('Liga na terça')
    expect(shown(entry({ kind: 'lead.rename', lead: ref, base: '', text: 'Roger' }, { state }))?.name).toBe(
      'Roger',
    )
  })
  it('a read mark up to the last message clears the count, and is not shown as waiting', () => {
    const read = (upToSeconds: number) =>
      entry({ kind: 'lead.read', lead: ref, upToSeconds }, { failure: 'network' })
    expect(shown(read(1_700_000_000))).toMatchObject({ unreadCount: 0, waiting: null })
    expect(shown(read(1_699_999_999))).toMatchObject({ unreadCount: 2 })
  })
  it('a read mark clears the count even if a message was sent since, here or on the phone', () => {
    const read = entry({ kind: 'lead.read', lead: ref, upToSeconds: 1_700_000_000 }, { seq: 2 })
    expect(shown(entry(say('Bom dia')), read)).toMatchObject({ unreadCount: 0 })
  })
  it("the broker's mark makes a read lead unread, until it is opened", () => {
    const mark = entry({ kind: 'lead.unread', lead: ref, given: {} }, { seq: 3 })
    const read = (seq: number, upToSeconds = 1_700_000_000) =>
      entry({ kind: 'lead.read', lead: ref, upToSeconds }, { seq, state: 'applied' })
    expect(shown(mark), 'its unread messages stay counted').toMatchObject({ unreadCount: 2 })
    expect(shown(read(2), mark)).toMatchObject({ unreadCount: 1, isMarkedUnread: true, waiting: null })
    expect(shown(read(2), mark, read(4, 0)), 'opened without anything new').toMatchObject({
      unreadCount: 0,
      isMarkedUnread: false,
    })
    const refused = entry({ kind: 'lead.unread', lead: ref, given: {} }, { seq: 3, state: 'refused' })
    expect(shown(read(2), refused)).toMatchObject({ unreadCount: 0, waiting: 'unsaved' })
  })
  it('a waiting text is the last message; an old or refused one is not', () => {
    expect(shown(entry(say('Bom dia')))?.lastMessage).toEqual({
      body: 'Bom dia',
      sentAtSeconds: 1_800_000_000,
      direction: 'outgoing',
      delivery: 'queued',
    })
    expect(shown(entry(say('Bom dia'), { state: 'refused' }))?.lastMessage).toBe(rogerio.lastMessage)
    expect(shown(entry(say('Bom dia'), { createdAtMs: 1_000 }))?.lastMessage).toBe(rogerio.lastMessage)
  })
  it('what was refused is called by what it was: a text, a visit, anything else', () => {
    const texts = { confirmText: null, remindText: null, remindAt: null }
    const ids = { actionId: null, actionOperation: null, seenAt: null }
    const given = { ...ids, ...texts, startsAt: '2026-11-28T13:00:00Z', place: '' }
    const refused = (command: Command) => shown(entry(command, { state: 'refused' }))?.waiting
    expect(refused(say('Oi'))).toBe('refused')
    expect(refused({ kind: 'visit.save', lead: ref, given })).toBe('unbooked')
    expect(refused(note('x'))).toBe('unsaved')
  })
  it('a sent text is not called waiting on its card, which may know more of it already', () => {
    const sent = entry(say('Bom dia'), { state: 'applied', messageId: 41 })
    expect(shown(sent)?.lastMessage).toMatchObject({ body: 'Bom dia', delivery: null })
    const known = { id: 41, body: 'Bom dia', sentAtSeconds: 1_800_000_000, direction: 'outgoing' } as const
    const read = lead({ id: 7, lastMessage: { ...known, delivery: 'read' } })
    expect(layOverLeads(new Map([[7, read]]), [sent], { calmSinceMs: 0 }).get(7)?.lastMessage).toEqual(
      read.lastMessage,
    )
  })
  it('a text that waited for the network answers what the lead wrote before it left', () => {
    const heard = { id: 40, body: 'Oi?', sentAtSeconds: 1_800_000_060, direction: 'incoming' } as const
    const waits = lead({ id: 7, lastMessage: { ...heard, delivery: null } })
    const cardWith = (sent: Entry) => layOverLeads(new Map([[7, waits]]), [sent], { calmSinceMs: 0 }).get(7)
    const sent = { state: 'applied', appliedAtMs: 1_800_000_090_000 } as const
    expect(cardWith(entry(say('Bom dia')))).toMatchObject({ lastMessage: waits.lastMessage })
    const answered = { lastMessage: { body: 'Bom dia' }, waitingSinceMs: null }
    expect(cardWith(entry(say('Bom dia'), { ...sent, messageId: 41 }))).toMatchObject(answered)
    expect(cardWith(entry(say('Bom dia'), { ...sent, messageId: 39 }))?.waitingSinceMs).not.toBeNull()
  })
  it('is called waiting once it is older than a moment or was kept back; what must be decided comes first', () => {
    const young = entry(note('x'))
    const calmSince = young.createdAtMs - 1
    expect(layOverLeads(board, [young], { calmSinceMs: calmSince }).get(7)?.waiting).toBeNull()
    expect(layOverLeads(board, [young], { calmSinceMs: young.createdAtMs }).get(7)?.waiting).toBe('queue')
    expect(
      layOverLeads(board, [{ ...young, failure: 'network' }], { calmSinceMs: calmSince }).get(7)?.waiting,
    ).toBe('queue')
    const entries = [entry(say('x'), { state: 'stale' }), entry(move('x'), { state: 'conflict' }), young]
    expect(layOverLeads(board, entries, { calmSinceMs: Infinity }).get(7)?.waiting).toBe('conflict')
    expect(layOverLeads(board, entries.slice(0, 1), { calmSinceMs: Infinity }).get(7)?.waiting).toBe(
      'refused',
    )
  })
})

describe('messages', () => {
  const line = message({ id: 40, body: 'Oi', direction: 'incoming', delivery: null })
  const ON = { contactId: 7 }
  const lay = (...entries: Entry[]) => layOverMessages([line], entries, ON)

  it('a card says by its operation that it has a text, or material, whose own answer was lost', () => {
    const text = entry(say('Oi'), { id: 'aaaaaaaa-1', attempts: 1 })
    const ofCard = (operationId: string, sent: Entry) =>
      layOverMessages([message({ ...line, direction: 'outgoing', operationId })], [sent], {
        ...ON,
        ofCard: true,
      })
    expect(ofCard('aaaaaaaa', text)).toHaveLength(1)
    expect(ofCard('bbbbbbbb', text)).toHaveLength(2)
    const things = ['cccccccc-1', 'dddddddd-1'].map((operationId) => ({
      operationId,
      fileId: null,
      text: operationId,
      label: 'Planta',
      content: { kind: 'text' as const },
    }))
    const development = { id: 3, name: 'Mirante' }
    const burst = entry({ kind: 'material.send', lead: ref, development, things }, { attempts: 1 })
    const applied: Entry = { ...burst, state: 'applied', messageId: 40 }
    for (const sent of [burst, applied])
      for (const operation of sent === applied ? ['dddddddd', 'older-portal'] : ['dddddddd'])
        expect(ofCard(operation, sent).map(({ body, delivery }) => [body, delivery])).toEqual([
          ['cccccccc-1', null],
          ['Oi', null],
        ])
    const last = { id: 40, body: 'Oi', sentAtSeconds: 1_800_000_000, direction: 'outgoing' as const }
    for (const [operation, sent] of [
      ['aaaaaaaa', text],
      ['dddddddd', burst],
    ] as const) {
      const known = lead({ id: 7, lastMessage: { ...last, delivery: 'read', operation } })
      expect(layOverLeads(new Map([[7, known]]), [sent], { calmSinceMs: Infinity }).get(7)).toEqual(known)
    }
  })
  it('a text is kept until its card has it, too', () => {
    const sent = entry(say('Oi'), { state: 'applied', appliedAtMs: 500, messageId: 40 })
    expect(isTextRead(sent, [line])).toBe(true)
    expect(isTextRead(sent, [line], 500)).toBe(false)
    expect(isTextRead(sent, [line], 501)).toBe(true)
    expect(isTextRead({ ...sent, messageId: 41 }, [line], 501)).toBe(false)
  })
  it('waiting texts follow the messages, under local ids', () => {
    expect(lay()).toEqual([line])
    expect(lay(entry(say('um')), entry(say('dois'), { seq: 2, state: 'refused' })).slice(1)).toMatchObject([
      { id: -1, body: 'um', delivery: 'queued', direction: 'outgoing', sentAtSeconds: 1_800_000_000 },
      { id: -2, body: 'dois', delivery: 'failed' },
    ])
  })
  it('a text that arrived as a message is shown once', () => {
    expect(lay(entry(say('Oi'), { state: 'applied', messageId: 40 }))).toEqual([line])
    expect(lay(entry(say('Oi'), { state: 'applied', messageId: 41 }))).toHaveLength(2)
    const arrived = { ...line, operationId: 'op' }
    expect(layOverMessages([arrived], [entry(say('Oi'))], ON), 'before its own answer did').toEqual([arrived])
  })
  it('with more texts than a page, those beyond it are not shown as waiting', () => {
    const page = [message({ id: 45 }), message({ id: 46 })]
    const early = entry(say('um'), { id: 'a', state: 'applied', messageId: 41 })
    const late = entry(say('dois'), { id: 'b', seq: 2, state: 'applied', messageId: 47 })
    expect(layOverMessages(page, [early, late], ON).slice(2)).toMatchObject([{ body: 'dois' }])
  })
  it('a waiting reaction is on its message, the last one counts; a refused one is not shown', () => {
    const react = (emoji: string, more = {}) =>
      entry({ kind: 'message.react', lead: ref, given: { messageId: 40, emoji } }, more)
    expect(lay(react('👍'), react('❤️', { seq: 2 }))).toMatchObject([{ id: 40, ownReaction: '❤️' }])
    expect(lay(react('👍'), react('', { seq: 2 }))).toMatchObject([{ ownReaction: '' }])
    expect(lay(react('👍', { state: 'refused' }))).toEqual([line])
  })
  it("a reaction's entry ends once it is read, or a newer one exists", () => {
    const applied = entry(
      { kind: 'message.react', lead: ref, given: { messageId: 40, emoji: '👍' } },
      { state: 'applied', appliedAtMs: 10_000 },
    )
    const over = (messages: Message[], readAtMs: number, given = applied, entries = [given]) =>
      isChangeRead(given, { messages, entries, readAtMs })
    const read = [{ ...line, ownReaction: '👍' }]
    expect(over([line], 10_500)).toBe(false)
    expect(over(read, 10_500)).toBe(true)
    expect(over([line], 15_000)).toBe(true)
    expect(over(read, 15_000, { ...applied, appliedAtMs: null }), 'not sent yet').toBe(false)
    expect(over([line], 10_500, applied, [applied, { ...applied, seq: 2 }]), 'followed by another').toBe(true)
  })
  it('a waiting edit or deletion shows its result, a refused one the message as it is, with the reason', () => {
    const sent = message({ id: 40, body: 'Às 10h', direction: 'outgoing', delivery: 'read' })
    const given = (text: string, more = {}) =>
      entry({ kind: 'message.edit', lead: ref, given: { messageId: 40, text } }, more)
    const remove = (more = {}) =>
      entry({ kind: 'message.delete', lead: ref, given: { messageId: 40 } }, { seq: 3, id: 'op3', ...more })
    const shown = (...entries: Entry[]) => layOverMessages([sent], entries, ON)[0]!
    expect(shown(given('Às 11h'), given('Às 12h', { seq: 2, id: 'op2' }))).toMatchObject({
      body: 'Às 12h',
      change: { kind: 'edit', state: 'queued' },
    })
    expect(shown(given('Às 11h'), remove())).toMatchObject({
      body: '',
      content: { kind: 'deleted' },
      change: { kind: 'delete', state: 'queued' },
    })
    const problem = { reason: 'Tarde demais.', theirs: null, changedBy: null, changedAtMs: null }
    const refused = shown(given('Às 11h', { state: 'refused', problem }))
    expect(refused).toMatchObject({ body: 'Às 10h', change: { state: 'refused', said: 'Tarde demais.' } })
    expect(refused.change && changeFault(refused.change)).toBe('Tarde demais.')
  })
  it('what the server says of an edit stands over the entry that asked for it', () => {
    const applied = entry(
      { kind: 'message.edit', lead: ref, given: { messageId: 40, text: 'Às 11h' } },
      { state: 'applied', appliedAtMs: 10_000 },
    )
    const sent = message({ id: 40, body: 'Às 10h', direction: 'outgoing', delivery: 'read' })
    const refused: Message = { ...sent, change: { kind: 'edit', state: 'late', operationId: applied.id } }
    expect(layOverMessages([refused], [applied], ON)).toEqual([refused])
    const isRead = (one: Message) =>
      isChangeRead(applied, { messages: [one], entries: [applied], readAtMs: 10_500 })
    expect([sent, refused, { ...sent, body: 'Às 11h' }].map(isRead)).toEqual([false, true, true])
    const done = { ...sent, body: 'Às 11h', isEdited: true }
    expect(layOverMessages([done], [applied], ON), 'no longer called waiting').toEqual([done])
    const gone: Message = { ...sent, body: '', content: { kind: 'deleted' } }
    expect(layOverMessages([gone], [applied], ON)).toEqual([gone])
  })
  it('a sent text is not called waiting, and stands once beside the card’s last message', () => {
    const sent = (messageId: number, seq: number) =>
      entry(say(`t${messageId}`), { id: `op${seq}`, seq, state: 'applied', messageId })
    expect(lay(sent(41, 1)).at(-1)).toMatchObject({ body: 't41', delivery: null })
    const read = message({ id: 42, body: 't42', direction: 'outgoing', delivery: 'read' })
    const entries = [sent(41, 1), sent(42, 2), entry(say('espera'), { id: 'op3', seq: 3 })]
    expect(layOverMessages([read], entries, { contactId: 7, ofCard: true })).toMatchObject([
      { body: 't41', delivery: null },
      { id: 42, delivery: 'read' },
      { body: 'espera', delivery: 'queued' },
    ])
  })
  it('another lead’s texts and other writes stand elsewhere', () => {
    const elsewhere = { ...say('um'), lead: { ...ref, id: 8 } }
    expect(lay(entry(elsewhere), entry(move('x')))).toEqual([line])
  })
  it('shows the quoted message', () => {
    const answer = entry({ kind: 'message.send', lead: ref, text: 'Sim', quotedMessageId: 40 })
    expect(lay(answer)[1]?.quote).toEqual({ isOwn: false, kind: 'text', body: 'Oi' })
  })
})

describe('a lead added here', () => {
  const added = (part: Partial<Entry> = {}) =>
    entry(
      {
        kind: 'lead.add',
        lead: { ...ref, id: -5, name: 'Sandra' },
        development: null,
        source: 'plantao',
        note: 'Quer varanda',
      },
      part,
    )

  it("is on its broker's board like any other, with the changes made to it", () => {
    const text = entry({ kind: 'message.send', lead: { ...ref, id: -5 }, text: 'Oi', quotedMessageId: null })
    const leads = withAdditions(board, [added(), text], 'corretor_ana')
    expect(layOverLeads(leads, [added(), text], { calmSinceMs: 1_800_000_000_000 }).get(-5)).toMatchObject({
      name: 'Sandra',
      notes: 'Quer varanda',
      stageSlug: 'new',
      waiting: 'queue',
      lastMessage: { body: 'Oi', direction: 'outgoing' },
    })
    expect(withAdditions(board, [added()], 'corretor_bia')).toBe(board)
  })

  it('is not shown twice once the board has it', () => {
    expect(withAdditions(board, [added({ state: 'applied', leadId: 8 })], 'corretor_ana')).toBe(board)
  })

  it('has its server id until the board has it, and keeps the changes made to it', () => {
    const named = added({ state: 'applied', leadId: 9 })
    const note = entry(
      { kind: 'lead.note', lead: { ...ref, id: 9 }, base: 'Quer varanda', text: 'Quer varanda e sol' },
      { state: 'applied' },
    )
    const shownToo = layOverLeads(withAdditions(board, [named, note], 'corretor_ana'), [named, note], {
      calmSinceMs: 0,
    })
    expect(shownToo.has(-5)).toBe(false)
    expect(shownToo.get(9)).toMatchObject({ id: 9, name: 'Sandra', notes: 'Quer varanda e sol' })
  })
})
