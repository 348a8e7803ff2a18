// Helpers for tests of agents: the list, the editor of a prompt, the API for the agents' other programs.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { call } from '#tests/support/portal.ts'
import { ADMIN, tokenOf } from '#tests/support/browser/session.ts'
import { enterAsAdmin, expect } from '#tests/support/browser/story.ts'

export const AGENT = 'Jardim das Acácias'

export const editor = (page: Page) => page.getByLabel('Texto do prompt')

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Salvar Alterações' })

export const settingsOf = (page: Page, name = AGENT) =>
  page.getByRole('heading', { name: `Configurações - ${name}` })

export async function openAgents(page: Page) {
  await enterAsAdmin(page, '/prompts')
  await expect(page.getByRole('heading', { name: 'Gerenciamento de Agentes' })).toBeVisible()
  await expect(page.getByRole('article', { name: AGENT })).toBeVisible()
}

export async function openSettings(page: Page, name = AGENT) {
  await openAgents(page)
  await page.getByRole('link', { name: `Configurar ${name}` }).click()
  await expect(settingsOf(page, name)).toBeVisible()
}

/** A card in its column, because 'Regras' is in both. */
export const card = (page: Page, column: 'Atendimento' | 'Agendamento', title: string) =>
  page.getByRole('region', { name: column }).getByRole('link', { name: new RegExp(`^${title}`) })

/** The API of the agents' other programs, as an administrator. */
export async function ask<T>(origin: string, path: string, body: unknown): Promise<T> {
  const answer = await call<T>(`${origin}/rest/v1/${path}`, { token: await tokenOf(origin, ADMIN), body })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

export async function agentId(origin: string, name = AGENT): Promise<number> {
  const agents = await ask<{ id: number; nome_agente: string }[]>(origin, 'rpc/get_prompts_agents', {})
  return agents.find(({ nome_agente: called }) => called === name)?.id ?? 0
}

/** A save by another administrator. */
export async function saveDraft(
  origin: string,
  { id, field, text }: { id: number; field: string; text: string },
): Promise<void> {
  const token = await tokenOf(origin, ADMIN)
  const { body: standing } = await call<{ version: number | null }>(`${origin}/api/prompts/${id}/${field}`, {
    token,
  })
  const answer = await call(`${origin}/api/prompts/${id}/${field}`, {
    token,
    body: { operationId: randomUUID(), text, base: standing.version },
  })
  expect(answer.status).toBe(200)
}
