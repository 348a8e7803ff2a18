// Sends each row of portal.conversions to Meta once, even if several portals share the database.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { wakeOn } from '#server/db/wake-on.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import { bodyOf, type Conversion } from './body.ts'
import type { SendConversion, Verdict } from './meta.ts'

/** An agency has few conversions, so one is sent at a time. A killed process leaves one event of unknown result. */
const AT_ONCE = 1
/** Longer than a request may take. The portal never resends an event whose lease has expired; a person decides. */
const LEASE_SECONDS = 60
const POLL_EVERY_MS = 30_000

type Claimed = Conversion & { id: number; dataset: string; token: string | null }

export type ConversionParts = {
  db: Database
  clock: Clock
  log: Log
  send: SendConversion
  /** Null if it was encrypted under another JWT_SECRET. */
  decrypt: (encrypted: string) => string | null
}

const LOST_TOKEN: Verdict = {
  became: 'stop',
  status: null,
  fault: 'token-lost',
  code: null,
  subcode: null,
  trace: null,
}

export function createConversionWorker({ db, clock, log, send, decrypt }: ConversionParts): Worker {
  /** Identifies this process among the portals that share the database. */
  const claimer = randomUUID()
  const worker = createWorker({
    name: 'conversions',
    clock,
    everyMs: POLL_EVERY_MS,
    poll,
    onFailed: (error) => log.warn('conversions.queue-failed', errorFields(error)),
  })
  const now = () => new Date(clock.now()).toISOString()

  async function poll(): Promise<boolean> {
    const { rows } = await db.query<{ claimed: Claimed[] }>(
      'select portal.claim_conversions($1, $2, $3, $4) as claimed',
      [claimer, now(), LEASE_SECONDS, AT_ONCE],
    )
    const claimed = rows[0]?.claimed ?? []
    for (const conversion of claimed) await deliver(conversion)
    return claimed.length === AT_ONCE
  }

  async function deliver(conversion: Claimed): Promise<void> {
    const token = conversion.token === null ? null : decrypt(conversion.token)
    const verdict =
      token === null
        ? LOST_TOKEN
        : await send({ dataset: conversion.dataset, token, body: bodyOf(conversion) })
    const { became, status, fault, code, subcode, trace } = verdict
    const fields = { conversionId: conversion.id, target: conversion.target, status, code, subcode, trace }
    try {
      const { rows } = await db.query<{ became: string }>(
        'select portal.settle_conversion($1, $2, $3, $4, $5, $6, $7, $8, $9) as became',
        [conversion.id, claimer, now(), became, status, fault, code, subcode, trace],
      )
      const settled = rows[0]?.became ?? 'lost'
      log[settled === 'sent' ? 'debug' : settled === 'stop' ? 'error' : 'warn'](
        `conversions.${settled}`,
        fields,
      )
    } catch (error) {
      // The lease expires, and an administrator decides whether the event is sent again.
      log.error('conversions.settle-failed', { ...fields, ...errorFields(error) })
    }
  }

  return {
    wake: worker.wake,
    settled: worker.settled,
    start: () => {
      const endListening = wakeOn(db, 'conversions', {
        wake: worker.wake,
        onDeaf: (error) => log.error('conversions.deaf', errorFields(error)),
      })
      const stop = worker.start()
      return async () => {
        await stop()
        await endListening()
      }
    },
  }
}
