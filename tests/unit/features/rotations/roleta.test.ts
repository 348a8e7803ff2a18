// What the footer says of pending edits, a seat's rules in words, and an intake key as it is sent.
import { describe, expect, it } from 'vitest'
import { newSeat } from '#domain/rotation/editing.ts'
import { emptyKeyDraft, type KeyDraft, keyFault, toIntent } from '#features/rotations/key-draft.ts'
import { minutesText, seatFacts, shiftText } from '#features/rotations/rule-texts.ts'
import { changesText } from '#features/rotations/texts.ts'

const NOTHING = { hasName: false, hasOrder: false, hasSettings: false, seatCount: 0 }

describe('changesText', () => {
  it.each([
    [null, 'Nenhuma alteração'],
    [{ ...NOTHING, hasName: true }, 'Nome alterado'],
    [{ ...NOTHING, hasOrder: true }, 'Ordem alterada'],
    [{ ...NOTHING, hasSettings: true }, 'Distribuição alterada'],
    [{ ...NOTHING, seatCount: 1 }, '1 corretor alterado'],
    [{ ...NOTHING, seatCount: 2 }, '2 corretores alterados'],
    [{ ...NOTHING, hasOrder: true, seatCount: 1 }, 'Ordem e 1 corretor alterados'],
    [
      { hasName: true, hasOrder: true, hasSettings: true, seatCount: 2 },
      'Nome, ordem, distribuição e 2 corretores alterados',
    ],
  ])('%#', (changes, text) => expect(changesText(changes)).toBe(text))
})

describe('rules of a seat in words', () => {
  it('says only what is not as everyone else has it', () => {
    expect(seatFacts(newSeat('a'))).toEqual([])
    const shifts = [{ days: [1, 2, 3, 4, 5], from: 540, to: 1_080 }]
    expect(seatFacts({ ...newSeat('a'), weight: 2, dailyCap: 5, shifts })).toEqual([
      'peso 2',
      'até 5 por dia',
      'seg a sex 9h–18h',
    ])
  })

  it.each([
    [{ days: [6, 7], from: 510, to: 1_440 }, 'sáb, dom 8:30–0h'],
    [{ days: [7], from: 1_320, to: 360 }, 'dom 22h–6h'],
    [{ days: [3, 1, 5], from: 0, to: 1 }, 'seg, qua, sex 0h–0:01'],
  ])('%#', (shift, text) => expect(shiftText(shift)).toBe(text))

  it.each([
    [1, '1 minuto'],
    [90, '90 minutos'],
    [120, '2 horas'],
    [1_440, '1 dia'],
  ])('%i minutes', (minutes, text) => expect(minutesText(minutes)).toBe(text))
})

describe('a new key', () => {
  const draft = (part: Partial<KeyDraft>): KeyDraft => ({ ...emptyKeyDraft(), name: ' Site ', ...part })

  it.each([
    [draft({}), null],
    [draft({ name: ' ' }), 'name'],
    [draft({ kind: 'meta' }), 'secrets'],
    [draft({ kind: 'meta', appSecret: 'a', verifyToken: 'b' }), null],
    [draft({ mapping: { number: 'cliente.telefones.0' } }), null],
    [draft({ mapping: { number: 'cliente..telefone' } }), 'fields'],
  ])('%#', (given, fault) => expect(keyFault(given)).toBe(fault))

  it('is sent with what was filled in alone', () => {
    const given = draft({ source: ' site ', mapping: { number: ' fone ', name: '' } })
    expect(toIntent(given)).toEqual({
      operationId: given.operationId,
      kind: 'olx',
      name: 'Site',
      perMinute: 120,
      settings: { source: 'site', mapping: { number: 'fone' } },
      secrets: {},
    })
  })

  it('of Meta brings no names of fields along, and a form brings no secrets', () => {
    const filled = {
      appSecret: 'segredo',
      verifyToken: 'token',
      mapping: { number: 'fone' },
      forms: [
        { formId: '123', development: 'Mirante do Lago' },
        { formId: '', development: 'Sem formulário' },
      ],
    }
    expect(toIntent(draft({ ...filled, kind: 'meta' }))).toMatchObject({
      settings: { developmentByForm: { '123': 'Mirante do Lago' } },
      secrets: { appSecret: 'segredo', verifyToken: 'token' },
    })
    expect(toIntent(draft({ ...filled, kind: 'meta' })).settings).not.toHaveProperty('mapping')
    expect(toIntent(draft(filled)).secrets).toEqual({})
    expect(toIntent(draft(filled)).settings).not.toHaveProperty('developmentByForm')
  })
})
