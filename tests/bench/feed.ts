// Reads a feed of 5,000 listings, some 28 MB, takes it over, and reads it again: the times, the process's memory, and
// what the second reading writes.
import { readFile } from 'node:fs/promises'
import { feedOf, item } from '#tests/support/feed.ts'
import { ADMIN_PASSWORD, signIn, startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import type { Measure } from './measure.ts'

const LISTINGS = 5_000
const MAX_MS = 60_000
const MAX_MB = 200
const PATH = '/api/developments/feed'

export async function measureFeed(engine: Engine): Promise<Measure[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  try {
    const token = await signIn(made.origin, 'admin@admin.local', ADMIN_PASSWORD)
    const ask = async <T>(path: string, body?: string): Promise<T> => {
      const response = await fetch(made.origin + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as T
    }
    const file = feedOf(Array.from({ length: LISTINGS }, (_, n) => large(n)))
    const startedMs = performance.now()
    const { id } = await ask<{ id: number }>(`${PATH}/file`, file)
    const readMs = performance.now() - startedMs
    await ask(`${PATH}/runs/${id}/apply`, JSON.stringify({ except: [] }))
    const tookMs = performance.now() - startedMs
    const before = await stampOf(engine)
    const againMs = performance.now()
    const { state } = await ask<{ state: string }>(`${PATH}/file`, file)
    const secondMs = performance.now() - againMs
    const after = await stampOf(engine)
    const named = (name: string) => `${engine.name}: ${name}`
    return [
      {
        name: named(`${(file.length / 1024 ** 2).toFixed(0)} MB with ${LISTINGS} listings read`),
        value: readMs,
        unit: 'ms',
      },
      { name: named('read and taken over'), value: tookMs, unit: 'ms', limit: MAX_MS },
      { name: named('read again'), value: secondMs, unit: 'ms', limit: MAX_MS },
      {
        name: named('listings that were not there at the end'),
        value: LISTINGS - before.count,
        unit: '',
        limit: 0,
      },
      {
        name: named('changes by the second reading'),
        value: state === 'same' && before.stamp === after.stamp ? 0 : 1,
        unit: '',
        limit: 0,
      },
      ...(engine.name === 'Postgres'
        ? [
            {
              name: named('most memory of the portal’s process'),
              value: await peakMegabytes(made.process.pid),
              unit: 'MB' as const,
              limit: MAX_MB,
            },
          ]
        : []),
    ]
  } finally {
    await made.process.kill('SIGTERM')
  }
}

/** As large as programs write them, so that the file comes near 30 MB. */
const large = (n: number): string =>
  item({
    code: `AP-${n}`,
    title: `Apartamento ${n} com varanda`,
    price: String(300_000 + n),
    description: `Imóvel inventado número ${n}. ${'Uma frase qualquer sobre quartos, vagas e varanda. '.repeat(60)}`,
    photos: Array.from(
      { length: 12 },
      (_, photo) => `https://fotos.example.com/imoveis/${n}/foto-${photo}-grande.jpg`,
    ),
  })

/** The greatest transaction among the listings' rows: any write changes it. */
async function stampOf(engine: Engine) {
  let found = { count: 0, stamp: '' }
  await engine.withDatabase(async (db) => {
    const { rows } = await db.query<{ count: number; stamp: string }>(
      `select count(*)::integer as count, coalesce(max(xmin::text::bigint), 0)::text as stamp from public.listings`,
    )
    found = rows[0] ?? found
  })
  return found
}

async function peakMegabytes(pid: number): Promise<number> {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? NaN) / 1024
}
