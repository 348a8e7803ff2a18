// Checks after each component test: a silent console, every request answered, nothing left behind.
import * as React from 'react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import './page-title.ts'
import { closeApp, unsent } from './app.tsx'
import { emulateNothing, felt, releasePointers } from './device.ts'
import { letTimeGoOn } from './time.ts'

const noise: string[] = []
for (const level of ['error', 'warn'] as const) {
  const tell = console[level]
  console[level] = (...words: unknown[]) => {
    noise.push(words.map(String).join(' '))
    tell(...words)
  }
}
document.documentElement.lang = 'pt-BR'

// React takes a stack trace for each of the first 10,000 elements per second, to name parents in warnings. That took a
// seventh of the tests' time, so it is off, and warnings lack those names.
const internals: object = Reflect.get(
  React,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set: () => {},
})

beforeEach(() => {
  noise.splice(0)
  felt.splice(0)
})

afterEach(async () => {
  vi.useRealTimers()
  letTimeGoOn()
  await releasePointers()
  await expect.poll(unsent, { message: 'what the test did has reached the portal' }).toBe(0)
  const unanswered = await closeApp()
  vi.restoreAllMocks()
  await emulateNothing()
  expect(unanswered, 'asked, and nobody answered').toEqual([])
  expect(noise, 'console errors and warnings').toEqual([])
})
