// The public page: its first photo is loaded before all others, which a weak signal would let compete with it.
import { expect, test } from 'vitest'
import { toPage } from '#server/developments/pages/page-html.ts'
import { LISTING } from '#tests/support/published-listing.ts'

test('the first photo is urgent; the others are lazy, last in the queue, and small on a phone', () => {
  const photo = (letter: string) => ({
    ...LISTING.media[0]!,
    mediaId: letter.repeat(64),
    thumbId: letter.toUpperCase().repeat(64),
  })
  const { html } = toPage({
    content: { ...LISTING, media: ['a', 'b', 'c'].map(photo) },
    brand: { name: null, color: null, logo: null },
    central: null,
    origin: 'https://casa.example',
  })
  const [first, ...others] = [...html.matchAll(/<img [^>]*\/i\/[^>]*>/g)].map(([tag]) => tag)
  expect(first).toContain('fetchpriority="high"')
  expect(first).not.toContain('loading="lazy"')
  expect(others).toHaveLength(2)
  for (const tag of others) {
    expect(tag).toContain('loading="lazy"')
    expect(tag).toContain('fetchpriority="low"')
    // 320 pixels are enough for 44 % of 412 pixels at a density of 1.75.
    expect(tag).toContain('320w')
    expect(tag).toMatch(/sizes="[^"]* 44vw"/)
  }
})
