// A database of the release before developments: after the upgrade each text names a development, or is one that the
// list shows.
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { makeReleased } from '#tests/support/released.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../supabase')
const { db, close } = await openTestDatabase('empty')
afterAll(close)

test.runIf(isDeepRun)(
  'rotations and agents get one each; texts of leads and sources are bound by any spelling, others by none',
  async () => {
    await makeReleased(db)
    await db.exec(`
    insert into public.roletas (empreendimento) values ('Mirante do Lago'), ('Reserva Ipê');
    insert into public.prompts_agents (nome_agente, empreendimento) values ('Lia', 'MIRANTE DO LAGO'), ('Rui', 'Vista Serrana');
    insert into public.whatsapp_contacts (number, empreendimento)
    select '551195550' || lpad(n::text, 4, '0'), t
    from unnest(array['Mirante do Lago', 'mirante do lago', 'Mirante  do-Lago', 'RESERVA IPE', 'Vista Serrana', 'Jd. Acácias', 'Jd. Acácias', null])
      with ordinality as l (t, n);
    insert into portal.intake_keys (id, kind, name, hash, settings, per_minute, created_by, created_at)
    select gen_random_uuid(), 'form', t, sha256(convert_to(t, 'UTF8')), jsonb_build_object('development', t), 60, 'chefe', now()
    from unnest(array['reserva ipê', 'Porto Novo']) as t;
    insert into portal.intake_keys (id, kind, name, hash, settings, per_minute, created_by, created_at)
    values (gen_random_uuid(), 'meta', 'Meta', sha256('m'), '{"developmentByForm": {"1": "Torre Norte", "2": "Vista  serrana"}}', 60, 'chefe', now());
  `)
    await migrate(db, FOLDER)
    const { rows } = await db.query<{ text: string; name: string | null }>(`
    select distinct u.text, d.name from (
      select empreendimento as text from public.whatsapp_contacts where empreendimento is not null
      union all select empreendimento from public.roletas
      union all select empreendimento from public.prompts_agents
      union all select text from portal.source_developments()
    ) u left join public.developments d on d.id = portal.development_of(u.text)`)
    const bound = Object.fromEntries(rows.map(({ text, name }) => [text, name]))
    expect(bound).toEqual({
      'Mirante do Lago': 'Mirante do Lago',
      'mirante do lago': 'Mirante do Lago',
      'Mirante  do-Lago': 'Mirante do Lago',
      'MIRANTE DO LAGO': 'Mirante do Lago',
      'RESERVA IPE': 'Reserva Ipê',
      'Reserva Ipê': 'Reserva Ipê',
      'reserva ipê': 'Reserva Ipê',
      'Vista Serrana': 'Vista Serrana',
      'Jd. Acácias': null,
      'Porto Novo': null,
      'Torre Norte': null,
      'Vista  serrana': 'Vista Serrana',
    })
    const { rows: listed } = await db.query<{ text: string }>(`
    select t.text from (
      select empreendimento as text from portal.lead_developments() union select text from portal.source_developments()) t
    where portal.development_of(t.text) is null order by 1`)
    expect(listed.map(({ text }) => text)).toEqual(['Jd. Acácias', 'Porto Novo', 'Torre Norte'])
    expect((await db.query('select from public.developments')).rowCount).toBe(3)
  },
)
