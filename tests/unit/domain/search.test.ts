// Finding a lead by name, number or note, in any form.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, rankOf, toQuery } from '#domain/search.ts'
import { lead } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

describe('foldText', () => {
  table('%j becomes %j', foldText, [
    ['Rogério Bastos', 'rogerio bastos'],
    ['  JOÃO   da\tConceição ', 'joao da conceicao'],
    ['Ñandú Ünsal', 'nandu unsal'],
    ['R$ 640 mil', 'r$ 640 mil'],
    ['😀 Ana', '😀 ana'],
    ['', ''],
    [' \n ', ''],
  ])

  it('folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })
})

table('%j searches for %j', toQuery, [
  ['', null],
  ['  ', null],
  ['Ana', { words: ['ana'], digits: null }],
  ['(11) 95550-0142', { words: ['(11)', '95550-0142'], digits: '11955500142' }],
  ['+55 11', { words: ['+55', '11'], digits: '5511' }],
  ['apto 302', { words: ['apto', '302'], digits: null }],
  ['+', { words: ['+'], digits: null }],
])

const rank = (text: string, person: Parameters<typeof lead>[0]) => {
  const query = toQuery(text)
  return query && rankOf(lead(person), query)
}

const BEGINS = 0
const NAME = 1
const NUMBER = 2
const NOTES = 3

describe('rankOf', () => {
  const rogerio = {
    name: 'Rogério Bastos',
    number: '5511955500142',
    notes: 'Quer 3 quartos, até R$ 640 mil.',
  }

  table('%j: %j', (text) => rank(text, rogerio), [
    ['rogerio', BEGINS],
    ['ROGÉRIO', BEGINS],
    ['bast', BEGINS],
    ['bastos rogério', BEGINS],
    ['gerio', NAME],
    ['astos rog', NAME],
    ['11955500142', NUMBER],
    ['(11) 95550-0142', NUMBER],
    ['+55 11 95550 0142', NUMBER],
    ['95550-01', NUMBER],
    ['0142', NUMBER],
    ['quartos', NOTES],
    ['ATE r$ 640', NOTES],
    ['rogerio quartos', NOTES],
    ['rogerio 0142', NOTES],
    ['rogerio (11)', NOTES],
    ['marina', null],
    ['rogerio marina', null],
    ['(21) 95550-0142', null],
    ['01423', null],
  ])

  it('finds a mobile number with and without its 9', () => {
    expect(rank('(11) 8550-0142', { number: '5511985500142', name: null })).toBe(NUMBER)
    expect(rank('11 98550-0142', { number: '551185500142', name: null })).toBe(NUMBER)
  })

  it('finds a WhatsApp id by number, and an unnamed lead by note', () => {
    expect(rank('95550', { name: null, number: '5511955500142@s.whatsapp.net' })).toBe(NUMBER)
    expect(rank('piscina', { name: null, number: null, notes: 'Quer piscina' })).toBe(NOTES)
    expect(rank('ana', { name: null, number: null, notes: null })).toBeNull()
  })

  it('finds everyone by any part of the name, with any accents', () => {
    const names = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ]{1,12}( [A-Za-zÀ-ÖØ-öø-ÿ]{1,12}){0,3}$/)
    fc.assert(
      fc.property(names, fc.nat(), fc.nat(), (name, from, length) => {
        const start = from % name.length
        const piece = name.slice(start, start + 1 + (length % name.length))
        const asked = piece
          .normalize('NFD')
          .replace(/\p{Mn}/gu, '')
          .toUpperCase()
        // Only 'ß' changes its length in capitals.
        fc.pre(foldText(asked) !== '' && !asked.includes('SS'))
        expect(rank(asked, { name })).not.toBeNull()
      }),
    )
  })
})
