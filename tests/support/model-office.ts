// An office whose agents use a local model; both close after the file's tests.
import { afterAll } from 'vitest'
import { startModelServer } from './model-server.ts'
import { openOffice } from './office.ts'

export async function openModelOffice(answer: Parameters<typeof startModelServer>[0]) {
  const model = await startModelServer(answer)
  const office = await openOffice({ env: { AGENT_API_URL: model.url, AGENT_MODEL: 'lago-mini' } })
  afterAll(model.stop)
  afterAll(office.close)
  return { office, model }
}
