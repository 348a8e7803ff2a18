// Dialogues with an agent, for test files.
import { afterAll } from 'vitest'
import { openTalk, type Talk } from './agent-dialogue.ts'
import { openTestDatabase } from './database.ts'

/** Each test gets its own dialogue over a shared database, which closes after the last test. */
export async function openTalks() {
  const base = await openTestDatabase('migrated')
  const { db } = base
  const opened: Talk[] = []
  afterAll(async () => {
    await Promise.all(opened.map((talk) => talk.close()))
    await base.close()
  })
  return {
    db,
    nextTalk: async (): Promise<Talk> => {
      await db.exec(
        `delete from public.prompts_agents; delete from public.whatsapp_contacts; delete from portal.people;
         delete from public.roletas; delete from public.brokers; delete from portal.model_prices`,
      )
      const talk = await openTalk(db)
      opened.push(talk)
      return talk
    },
  }
}
