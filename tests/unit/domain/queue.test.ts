// The outbox's list: how entries are added, which are sent, in which order, and the effect of each response.
import { describe, expect, it } from 'vitest'
import {
  type Command,
  type Entry,
  goalOf,
  inverseOf,
  isState,
  SCHEMA,
  schemaOf,
} from '#domain/outbox/command.ts'
import { addEntry, addUndo, type Entries, findHeads, nextAtMs, UNNUMBERED } from '#domain/outbox/queue.ts'
import { discardEntry, retryEntry } from '#domain/outbox/decide.ts'
import { claimDue, hurryEntries } from '#domain/outbox/round.ts'
import { applyVerdict } from '#domain/outbox/settle.ts'
import type { Verdict } from '#domain/outbox/verdict.ts'

const ANA = 'ana'
const HOUR_MS = 3_600_000
const lead = (id: number) => ({ id, number: `55119${id}`, name: 'Rogério', instanceName: 'corretor_ana' })
const move = (fromSlug: string, toSlug: string, id = 7): Command => ({
  kind: 'lead.move',
  lead: lead(id),
  fromSlug,
  toSlug,
})
const note = (base: string, text: string, id = 7): Command => ({
  kind: 'lead.note',
  lead: lead(id),
  base,
  text,
})
const read = (upToSeconds: number, id = 7): Command => ({ kind: 'lead.read', lead: lead(id), upToSeconds })
const unread: Command = { kind: 'lead.unread', lead: lead(7), given: {} }
const say = (text: string, id = 7): Command => ({
  kind: 'message.send',
  lead: lead(id),
  text,
  quotedMessageId: null,
})

const hide = (id = 7): Command => ({ kind: 'lead.private', lead: lead(id), given: { number: null } })
const unhide = (id = 7): Command => ({
  kind: 'lead.public',
  lead: lead(id),
  given: { privateId: null, markedBy: 'op' },
})

/** Numbers new entries like the store. */
function store(entries: Entries): Entries {
  const last = Math.max(0, ...entries.map(({ seq }) => seq).filter((seq) => seq !== UNNUMBERED))
  return entries.map((entry) => (entry.seq === UNNUMBERED ? { ...entry, seq: last + 1 } : entry))
}

let ids = 0
const stamp = (nowMs = 0, userId = ANA) => ({ id: `op-${ids++}`, userId, nowMs })
const list = (...commands: Command[]) =>
  commands.reduce<Entries>((entries, command) => store(addEntry(entries, command, stamp())), [])
const add = (entries: Entries, command: Command, nowMs = 0) => store(addEntry(entries, command, stamp(nowMs)))
const send = (entries: Entries, nowMs = 0, limit = 100) => claimDue(entries, { userId: ANA, nowMs, limit })
const settle = (entries: Entries, verdict: Verdict, index = 0) =>
  applyVerdict(entries, { seq: entries[index]?.seq ?? 0, verdict }, { nowMs: 1_000, chance: 0 })
const nothing = { reason: null, theirs: null, changedBy: null, changedAtMs: null }
const conflict = (theirs: string): Verdict => ({
  kind: 'conflict',
  problem: { ...nothing, reason: 'Já foi movido.', theirs },
})
const refused: Verdict = { kind: 'refused', problem: { ...nothing, reason: 'Não existe mais.' } }
const words = (entry: Entry | undefined) => {
  if (!entry) return null
  const { command, state } = entry
  const what =
    command.kind === 'lead.move'
      ? `${command.fromSlug}→${command.toSlug}`
      : command.kind === 'lead.read'
        ? `${command.upToSeconds}`
        : command.kind === 'message.send'
          ? command.text
          : command.kind === 'material.send'
            ? command.things.map(({ text }) => text).join('+')
            : 'given' in command
              ? JSON.stringify(command.given)
              : command.kind === 'lead.add'
                ? (command.lead.name ?? '')
                : `${command.base}→${command.text}`
  return `${command.kind.split('.')[1]} ${what} ${state}`
}
const shown = (entries: Entries) => entries.map(words)

describe('a mark as unread', () => {
  it('is dropped by an opening before it was sent, and after it was refused', () => {
    expect(shown(list(unread, read(0)))).toEqual(['read 0 queued'])
    expect(shown(add(settle(send(list(unread)), refused), read(0)))).toEqual(['read 0 queued'])
  })
  it('is sent after the opening before it, and before the one that follows', () => {
    expect(findHeads(list(read(5), unread), ANA).map(words)).toEqual(['read 5 queued'])
    const sent = add(send(list(read(5), unread)), read(0))
    expect(shown(sent)).toEqual(['read 5 queued'])
    const underWay = add(send(list(unread)), read(0))
    expect(shown(underWay)).toEqual(['unread {} queued', 'read 0 queued'])
    expect(findHeads(underWay, ANA).map(words)).toEqual(['unread {} queued'])
    expect(shown(settle(underWay, refused)), 'a refused one blocks no reading').toEqual(['read 0 queued'])
  })
})

describe('an unsent entry absorbs later ones', () => {
  it.each<[string, Command[], string[]]>([
    ['on and on', [move('a', 'b'), move('b', 'c'), move('c', 'd')], ['move a→d queued']],
    ['there and back', [move('a', 'b'), move('b', 'a')], []],
    ['a round trip', [move('a', 'b'), move('b', 'c'), move('c', 'a')], []],
    ['notes written twice', [note('', 'um'), note('um', 'dois')], ['note →dois queued']],
    ['notes taken back', [note('um', 'dois'), note('dois', 'um')], []],
    ['nowhere', [move('a', 'a')], []],
    ['read further', [read(5), read(9)], ['read 9 queued']],
    ['read less far', [read(9), read(5)], ['read 9 queued']],
    ['texts stay apart', [say('oi'), say('oi')], ['send oi queued', 'send oi queued']],
    [
      'leads and kinds stay apart',
      [move('a', 'b'), move('a', 'b', 8), note('', 'x')],
      ['move a→b queued', 'move a→b queued', 'note →x queued'],
    ],
  ])('%s', (_, commands, expected) => expect(shown(list(...commands))).toEqual(expected))
})

describe('an entry that may have arrived is not changed', () => {
  it('a later move starts where the earlier one ends', () => {
    const entries = add(send(list(move('a', 'b'))), move('b', 'c'))
    expect(shown(entries)).toEqual(['move a→b queued', 'move b→c queued'])
  })
  it('undoing it queues the inverse', () => {
    const sent = send(list(move('a', 'b')))
    const back = store(addUndo(sent, inverseOf(move('a', 'b') as never), stamp()))
    expect(shown(back)).toEqual(['move a→b queued', 'move b→a queued'])
  })
  it('undoing an unsent move drops it', () => {
    expect(addUndo(list(move('a', 'b')), inverseOf(move('a', 'b') as never), stamp())).toEqual([])
  })
  it('undoing a failed move drops it, without an inverse', () => {
    const refusedMove = settle(send(list(move('a', 'b'))), refused)
    expect(addUndo(refusedMove, inverseOf(move('a', 'b') as never), stamp())).toEqual([])
  })
  it('a read mark that is covered by another is not added', () => {
    const sent = send(list(read(9)))
    expect(addEntry(sent, read(9), stamp())).toBe(sent)
    expect(shown(add(sent, read(10)))).toEqual(['read 9 queued', 'read 10 queued'])
  })
  it('an entry with the same id is not added twice', () => {
    const once = stamp()
    const first = store(addEntry([], say('oi'), once))
    expect(addEntry(first, say('oi'), once)).toBe(first)
  })
})

describe('sending', () => {
  it('takes the head of each lane, marked as sending first', () => {
    const entries = send(list(say('um'), say('dois'), move('a', 'b'), say('outra', 8)))
    expect(entries.map(({ attempts }) => attempts)).toEqual([1, 0, 1, 1])
  })
  it('takes at most the given number of lanes', () => {
    const entries = send(list(say('1', 1), say('2', 2), say('3', 3)), 0, 2)
    expect(entries.map(({ attempts }) => attempts)).toEqual([1, 1, 0])
  })
  it('never takes entries of another account or of a newer app', () => {
    const [own] = list(say('oi'))
    const foreign = { ...own!, seq: 2, userId: 'bia' }
    const newer = { ...own!, seq: 3, schema: 99, command: say('novo', 9) }
    expect(findHeads([own!, foreign, newer], ANA)).toEqual([own])
    expect(findHeads([own!, foreign, newer], 'bia')).toEqual([foreign])
  })
  it('a private mark follows all earlier entries of the lead, and precedes all later ones', () => {
    const [first, mark, back, late, other] = list(note('', 'mãe'), hide(), unhide(), say('oi'), say('oi', 9))
    const applied = (entry?: Entry): Entry => ({ ...entry!, state: 'applied' })
    expect(findHeads([first!, mark!, back!, late!, other!], ANA)).toEqual([first, other])
    expect(findHeads([applied(first), mark!, back!, late!], ANA)).toEqual([mark])
    expect(findHeads([applied(first), applied(mark), back!, late!], ANA)).toEqual([back])
    expect(findHeads([applied(first), applied(mark), applied(back), late!], ANA)).toEqual([late])
    // An entry that needs a decision blocks only its own lane.
    expect(findHeads([{ ...first!, state: 'conflict' }, mark!], ANA)).toEqual([mark])
    expect(findHeads([{ ...mark!, state: 'refused' }, late!], ANA)).toEqual([late])
  })
  it('knows the first app version of each command', () => {
    const reaction: Command = { kind: 'message.react', lead: lead(7), given: { messageId: 1, emoji: '' } }
    const fields: Command = { kind: 'lead.fields', lead: lead(7), given: { fields: {}, base: {} } }
    const card = { kind: 'contact' as const, contacts: [] }
    const ofContact: Command = { kind: 'message.send', lead: lead(7), text: 'x', quotedMessageId: null, card }
    const edit: Command = { kind: 'message.edit', lead: lead(7), given: { messageId: 1, text: 'x' } }
    const kinds = [move('a', 'b'), say('oi'), fields, reaction, ofContact, hide(), edit, unread]
    expect(kinds.map(schemaOf)).toEqual([1, 1, 2, 4, 4, 5, 6, 7])
    expect(SCHEMA).toBe(9)
  })
  it('a text older than six hours needs a decision first, and later ones pass it', () => {
    const entries = add(list(say('bom dia')), say('boa noite'), 6 * HOUR_MS)
    expect(shown(send(entries, 6 * HOUR_MS))).toEqual(['send bom dia queued', 'send boa noite queued'])
    const later = send(entries, 6 * HOUR_MS + 1)
    expect(shown(later)).toEqual(['send bom dia stale', 'send boa noite queued'])
    expect(later.map(({ attempts }) => attempts)).toEqual([0, 1])
    const again = retryEntry(later, later[0]!.seq, { stamp: stamp(7 * HOUR_MS) })
    expect(shown(send(again, 7 * HOUR_MS))).toEqual(['send bom dia queued', 'send boa noite queued'])
    expect(again[0]!.id, 'it may have been sent under its id').toBe(later[0]!.id)
  })
  it('other entries may be old', () => {
    expect(shown(send(list(move('a', 'b'), note('', 'x')), 48 * HOUR_MS))).toEqual([
      'move a→b queued',
      'note →x queued',
    ])
  })
})

describe('responses', () => {
  it('applied: kept until the screen shows it, and its lane continues', () => {
    const entries = settle(send(add(send(list(say('um'))), say('dois'))), { kind: 'applied', messageId: 31 })
    expect(shown(entries)).toEqual(['send um applied', 'send dois queued'])
    expect(entries[0]).toMatchObject({ messageId: 31, appliedAtMs: 1_000 })
    expect(findHeads(entries, ANA).map(words)).toEqual(['send dois queued'])
  })
  it('applied and shown long ago: removed', () => {
    const entries = settle(send(list(move('a', 'b'))), { kind: 'applied', messageId: null })
    expect(send(entries, 25 * HOUR_MS)).toEqual([])
  })
  it.each([
    ['conflict', conflict('x')],
    ['refusal', refused],
  ])('%s: blocks only its own lane', (_, verdict) => {
    const entries = settle(send(list(move('a', 'b'), note('', 'x'), move('a', 'b', 8))), verdict)
    expect(findHeads(entries, ANA).map(words)).toEqual(['note →x queued', 'move a→b queued'])
  })
  it('a refused text lets later ones pass', () => {
    const entries = settle(send(list(say('um'), say('dois'))), refused)
    expect(findHeads(entries, ANA).map(words)).toEqual(['send dois queued'])
  })
  it.each([
    ['conflict', conflict('x')],
    ['refusal', refused],
  ])('%s: the entries based on it become one, which starts where the first began', (_, verdict) => {
    const sent = add(send(list(move('a', 'b'))), move('b', 'c'))
    expect(shown(settle(sent, verdict))).toEqual(['move a→c queued'])
    const back = add(send(list(move('a', 'b'))), move('b', 'a'))
    expect(shown(settle(back, verdict))).toEqual([])
  })
  it('a refused read mark is dropped silently', () => {
    expect(settle(send(list(read(5))), refused)).toEqual([])
  })
  it('no response: all entries wait for the network, and its return sends them at once', () => {
    const entries = settle(send(list(say('um'), say('dois', 8)), 0, 1), { kind: 'network' })
    expect(entries.map(({ failure, nextAtMs }) => [failure, nextAtMs])).toEqual([
      ['network', 3_000],
      ['network', 3_000],
    ])
    expect(nextAtMs(entries, ANA)).toBe(3_000)
    expect(nextAtMs(hurryEntries(entries, { userId: ANA, nowMs: 2_000, all: false }), ANA)).toBe(2_000)
    const [first] = entries
    const through = applyVerdict(
      entries,
      { seq: first!.seq, verdict: { kind: 'applied', messageId: 1 } },
      { nowMs: 2_500, chance: 0 },
    )
    expect(nextAtMs(through, ANA)).toBe(2_500)
  })
  it('the server asks to wait: only this entry waits that long', () => {
    const busy = { kind: 'later', retryAfterMs: 90_000, isFault: false } as const
    const entries = settle(send(list(say('um'), say('dois', 8))), busy)
    expect(entries.map(({ failure, nextAtMs }) => [failure, nextAtMs])).toEqual([
      ['server', 91_000],
      [null, 0],
    ])
    expect(nextAtMs(hurryEntries(entries, { userId: ANA, nowMs: 2_000, all: false }), ANA)).toBe(0)
    expect(hurryEntries(entries, { userId: ANA, nowMs: 2_000, all: true })[0]?.nextAtMs).toBe(2_000)
  })
  it('an entry from before the clock was set back is sent', () => {
    const early = addEntry([], say('um'), { ...stamp(), nowMs: 7 * HOUR_MS })
    expect(send(early, 0)[0]?.attempts).toBe(1)
  })
  it('no entry waits for longer than an hour', () => {
    const busy = { kind: 'later', retryAfterMs: 24 * HOUR_MS, isFault: false } as const
    expect(settle(send(list(say('um'))), busy)[0]?.nextAtMs).toBe(1_000 + HOUR_MS)
  })
  it('a permanent server failure is reported, with the same id, because the write may be applied', () => {
    const fault = { kind: 'later', retryAfterMs: null, isFault: true } as const
    let entries = list(say('oi'))
    for (let round = 0; round < 8; round++) entries = settle(send(entries, (round * HOUR_MS) / 2), fault)
    expect(shown(entries)).toEqual(['send oi refused'])
    expect(entries[0]?.problem?.reason).toBeNull()
    expect(retryEntry(entries, 1, { stamp: stamp() })[0]?.id).toBe(entries[0]?.id)
  })
  it('a late response does not change a decision', () => {
    const decided = settle(send(list(move('a', 'b'))), refused)
    expect(settle(decided, { kind: 'network' })).toBe(decided)
    expect(settle(decided, conflict('x'))).toBe(decided)
    expect(applyVerdict([], { seq: 1, verdict: refused }, { nowMs: 0, chance: 0 })).toEqual([])
  })
  it('a lost session changes nothing', () => {
    const entries = send(list(move('a', 'b')))
    expect(settle(entries, { kind: 'session' })).toBe(entries)
  })
})

describe('decisions', () => {
  const stuck = (command: Command, verdict: Verdict) => settle(send(list(command)), verdict)

  it("mine: sent over the server's current value, with a new id", () => {
    const entries = stuck(move('a', 'b'), conflict('x'))
    const again = retryEntry(entries, 1, { stamp: stamp() })
    expect(shown(again)).toEqual(['move x→b queued'])
    expect(again[0]?.id).not.toBe(entries[0]?.id)
    expect(again[0]?.attempts).toBe(0)
  })
  it('both: the texts joined', () => {
    const entries = stuck(note('velha', 'minha'), conflict('dela'))
    expect(shown(retryEntry(entries, 1, { stamp: stamp(), text: 'dela\n\nminha' }))).toEqual([
      'note dela→dela\n\nminha queued',
    ])
  })
  it('theirs: nothing is sent', () => {
    expect(discardEntry(stuck(note('velha', 'minha'), conflict('dela')), 1)).toEqual([])
  })
  it('a value equal to theirs is not sent', () => {
    expect(
      retryEntry(stuck(note('', 'minha'), conflict('dela')), 1, { stamp: stamp(), text: 'dela' }),
    ).toEqual([])
  })
  it('a refused entry that is retried starts from its original value', () => {
    expect(shown(retryEntry(stuck(move('a', 'b'), refused), 1, { stamp: stamp() }))).toEqual([
      'move a→b queued',
    ])
  })
  it('moving the card while its move needs a decision makes that decision', () => {
    expect(shown(add(stuck(move('a', 'b'), conflict('x')), move('x', 'd')))).toEqual(['move x→d queued'])
    expect(shown(add(stuck(move('a', 'b'), conflict('x')), move('x', 'x')))).toEqual([])
  })
  it('text typed while an entry needs a decision is not lost', () => {
    const entries = stuck(note('velha', 'minha'), conflict('dela'))
    expect(shown(add(entries, note('minha', 'minha e mais')))).toEqual(['note velha→minha e mais conflict'])
    expect(shown(add(entries, note('minha', 'dela')))).toEqual([])
    const refusedNote = stuck(note('velha', 'minha'), refused)
    const anew = add(refusedNote, note('minha', 'curta'))
    expect(shown(anew)).toEqual(['note velha→curta queued'])
    expect(anew[0]?.id).not.toBe(refusedNote[0]?.id)
  })
  it('after an entry is dropped, the next one starts from its original value', () => {
    const entries = add(send(list(note('', 'um'))), note('um', 'dois'))
    expect(shown(discardEntry(entries, 1))).toEqual(['note →dois queued'])
    expect(discardEntry(entries, 99)).toBe(entries)
  })
  it('an entry that needs no decision is not retried', () => {
    const entries = list(move('a', 'b'))
    expect(retryEntry(entries, 1, { stamp: stamp() })).toBe(entries)
  })
})

it('knows the target of each change of state', () => {
  for (const command of [move('a', 'b'), note('a', 'b')]) {
    expect(isState(command) && goalOf(command)).toBe('b')
    expect(isState(command) && goalOf(inverseOf(command))).toBe('a')
  }
})

describe('a lead added here', () => {
  const HERE = -5
  const addition: Command = {
    kind: 'lead.add',
    lead: lead(HERE),
    development: null,
    source: 'plantao',
    note: '',
  }
  const kinds = (entries: Entries) => findHeads(entries, ANA).map(({ command }) => command.kind)

  it('is sent first: its other entries wait until the server has it, those of other leads do not', () => {
    const waiting = list(addition, say('Oi', HERE), move('new', 'conversa', HERE), say('Bom dia', 7))
    expect(kinds(waiting)).toEqual(['lead.add', 'message.send'])
    const applied = settle(waiting, { kind: 'applied', messageId: null, leadId: 88 })
    expect(kinds(applied)).toEqual(['message.send', 'lead.move', 'message.send'])
    expect(applied.slice(1, 3).map(({ command }) => command.lead.id)).toEqual([88, 88])
    expect(applied[0]).toMatchObject({ state: 'applied', leadId: 88, command: { lead: { id: HERE } } })
  })

  it('refused, it holds back its other entries; dropped, they are dropped with it', () => {
    const refused = settle(list(addition, say('Oi', HERE), say('Bom dia', 7)), conflict(''))
    expect(kinds(refused)).toEqual(['message.send'])
    expect(discardEntry(refused, 1).map(({ command }) => command.lead.id)).toEqual([7])
  })

  it('entries after its addition belong to the lead that it became', () => {
    const applied = settle(list(addition), { kind: 'applied', messageId: null, leadId: 88 })
    const after = addEntry(applied, say('Oi', HERE), { id: 'later', userId: ANA, nowMs: 0 })
    expect(after.at(-1)?.command.lead.id).toBe(88)
    // Another user's entries on this device are not affected.
    const others = addEntry(applied, say('Oi', HERE), { id: 'later', userId: 'bia', nowMs: 0 })
    expect(others.at(-1)?.command.lead.id).toBe(HERE)
  })

  it('two additions do not wait for each other', () => {
    const refused = settle(list(addition, { ...addition, lead: lead(-6) }), conflict(''))
    expect(kinds(refused)).toEqual(['lead.add'])
  })
})
