// The bars of a voice message.
import { expect, it } from 'vitest'
import { wavePeaks } from '#domain/message/waveform.ts'

const wave = (...bytes: number[]) => Buffer.from(bytes).toString('base64')

it('shows the loudest byte of each part', () => {
  expect(wavePeaks(wave(10, 90, 20, 40), 2)).toEqual([0.9, 0.4])
})

it('spreads few bytes over more bars, and stays in range', () => {
  expect(wavePeaks(wave(0, 200), 4)).toEqual([0.08, 0.08, 1, 1])
})

it('is flat without data', () => {
  expect(new Set(wavePeaks(null, 8)).size).toBe(1)
})
