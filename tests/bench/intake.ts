// Form deliveries at a fixed rate, whether answered or not: the time of each answer, and when the last lead is created.
import { randomUUID } from 'node:crypto'
import { hashKey } from '#server/leads/intake/keys.ts'
import { startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { pour, send } from './http.ts'
import { median, type Measure, percentile } from './measure.ts'

const PER_SECOND = 200
const SECONDS = 10
/** One key may send 100 per second. */
const KEYS = ['pc_medida_um', 'pc_medida_dois', 'pc_medida_três', 'pc_medida_quatro'].map(encodeURIComponent)
const LIMITS = { p99Ms: 2_000, refused: 0 }

export async function measureIntake(engine: Engine): Promise<Measure[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  await made.process.kill('SIGTERM')
  await engine.withDatabase(async (db) => {
    for (const key of KEYS)
      await db.query(
        `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
         values ($1, 'form', $2, $3, 6000, 'portal', now())`,
        [randomUUID(), key, hashKey(decodeURIComponent(key))],
      )
  })
  const { origin, process } = await startPortal(engine.dataDir, engine.env)
  const startedMs = performance.now()
  const answers = await pour({ perSecond: PER_SECOND, seconds: SECONDS }, (index) =>
    send(origin, { path: `/api/leads?key=${KEYS[index % KEYS.length] ?? ''}`, body: formOf(index) }),
  )
  const answeredMs = performance.now() - startedMs
  await process.kill('SIGTERM')
  const later = answers.filter(({ status }) => status === 202).length
  const refused = answers.filter(({ status }) => ![200, 201, 202].includes(status)).length
  const left: { raw: number; leads: number } = { raw: -1, leads: -1 }
  await engine.withDatabase(async (db) => {
    const { rows } = await db.query<{ raw: number; leads: number }>(
      `select (select count(*) from portal.intake_raw) as raw, (select count(distinct contact_id) from portal.lead_intakes) as leads`,
    )
    Object.assign(left, rows[0])
  })
  const times = answers.map(({ ms }) => ms)
  const named = (name: string) => `${engine.name}: ${PER_SECOND} forms a second for ${SECONDS} s, ${name}`
  return [
    { name: named('answer, half of them'), value: median(times), unit: 'ms' },
    { name: named('answer, p99'), value: percentile(times, 0.99), unit: 'ms', limit: LIMITS.p99Ms },
    { name: named('longest answer'), value: Math.max(...times), unit: 'ms' },
    { name: named('until the last answer'), value: answeredMs, unit: 'ms' },
    { name: named('answered before their lead is made'), value: later, unit: '' },
    { name: named('still without a lead when stopped'), value: left.raw, unit: '' },
    { name: named('refused'), value: refused, unit: '', limit: LIMITS.refused },
    {
      name: named('lost or doubled'),
      value: Math.abs(PER_SECOND * SECONDS - refused - left.raw - left.leads),
      unit: '',
      limit: 0,
    },
  ]
}

const formOf = (index: number) => ({
  nome: 'Marina Tavares',
  telefone: `119${50_000_000 + index}`,
  lead_id: `envio-${index}`,
})
