// Which messages opt out of campaigns.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asksToBeLeftAlone } from '#domain/opt-out.ts'
import { FALSE_FRIENDS, OPT_OUTS } from '#tests/support/opt-out-corpus.ts'

describe('asksToBeLeftAlone', () => {
  it.each(OPT_OUTS)('recognises %s', (text) => expect(asksToBeLeftAlone(text)).toBe(true))
  it.each(FALSE_FRIENDS)('does not recognise %s', (text) => expect(asksToBeLeftAlone(text)).toBe(false))

  it('is tested by a large enough corpus without repeats', () => {
    const all = [...OPT_OUTS, ...FALSE_FRIENDS]
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(150)
  })

  it('recognises any case, any punctuation around it, and a second sentence', () => {
    const asked = fc.constantFrom(...OPT_OUTS.filter((text) => !text.includes('?')))
    fc.assert(
      fc.property(asked, fc.constantFrom('', '!!', ' 🙏', '...'), fc.boolean(), (text, signs, isLoud) => {
        const said = `${isLoud ? text.toUpperCase() : text}${signs}`
        expect([said, `Bom dia.\n${said}`].map(asksToBeLeftAlone)).toEqual([true, true])
      }),
    )
  })

  it('takes linear time for any text', () => {
    expect(asksToBeLeftAlone('não quero '.repeat(50_000))).toBe(false)
    expect(asksToBeLeftAlone('')).toBe(false)
  })
})
