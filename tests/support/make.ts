// Builders of database rows, valid by default, and of signed-in people; each test names only what matters to it.
import { asUser, becomeUser, type Claims } from '#server/db/as-user.ts'
import type { Database, Query, Row, SqlValue } from '#server/db/database.ts'

type Columns = Record<string, SqlValue>

let count = 0
/** A number that is new in this test file. */
const next = () => ++count

/** A new text of letters only, as usernames require. */
function nextLetters(): string {
  return `x${next()}`.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
}

async function insert<T extends Row>(db: { query: Query }, table: string, columns: Columns): Promise<T> {
  const names = Object.keys(columns)
  const { rows } = await db.query<T>(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
    Object.values(columns),
  )
  const [row] = rows
  if (!row) throw new Error(`nothing was inserted into ${table}`)
  return row
}

export type MadeBroker = { id: string; instanceName: string; username: string }

export async function makeBroker(db: Database, columns: Columns = {}): Promise<MadeBroker> {
  const row = await insert<{ id: string; instanceName: string }>(db, 'public.brokers', {
    instanceName: `corretor_${nextLetters()}`,
    status: 'ativo',
    ...columns,
  })
  return { id: row.id, instanceName: row.instanceName, username: row.instanceName.replace('corretor_', '') }
}

export async function makeAdmin(
  db: Database,
  username = `admin${next()}`,
): Promise<{ id: string; username: string }> {
  return insert(db, 'portal.accounts', { role: 'admin', username })
}

/** An account with the role gerente that leads this team. */
export async function makeManager(
  db: Database,
  teamId: string,
  username = `gerente${next()}`,
): Promise<{ id: string; username: string }> {
  const manager = await insert<{ id: string; username: string }>(db, 'portal.accounts', {
    role: 'gerente',
    username,
  })
  await lead(db, manager, teamId)
  return manager
}

/** Makes an account lead a team. */
export const lead = (db: Database, { id }: { id: string }, teamId: string) =>
  db.query('insert into portal.team_managers (account_id, team_id) values ($1, $2)', [id, teamId])

/** Returns the id. */
export async function makeTeam(
  db: Database,
  { name = `Equipe ${next()}`, brokers = [] }: { name?: string; brokers?: readonly { id: string }[] },
): Promise<string> {
  const team = await insert<{ id: string }>(db, 'portal.teams', { name })
  for (const { id } of brokers) await insert(db, 'portal.team_members', { broker_id: id, team_id: team.id })
  return team.id
}

export type MadeContact = {
  id: number
  person_id: number
  number: string
  status: string
  created_at: string
}

/** A lead of `instanceName` (null: the administrator's), with its own Brazilian number. */
export function makeContact(
  db: Database,
  instanceName: string | null,
  columns: Columns = {},
): Promise<MadeContact> {
  return insert(db, 'public.whatsapp_contacts', {
    instanceName,
    name: 'Marina Tavares',
    number: `55119${String(70_000_000 + next())}`,
    ...columns,
  })
}

export type MadeMessage = { id: number; timestamp: number; created_at: string }

/** An incoming text, unless `columns` say otherwise; an outgoing one counts as sent. */
export function makeMessage(db: Database, contactId: number, columns: Columns = {}): Promise<MadeMessage> {
  const type = columns['type'] ?? 'incoming'
  return insert(db, 'public.whatsapp_messages', {
    contact_id: contactId,
    message_id: `M${next()}`,
    instanceName: 'corretor_x',
    body: 'Bom dia! Ainda tem a unidade?',
    timestamp: 1_795_000_000 + next(),
    type,
    delivery: type === 'outgoing' ? 'sent' : null,
    ...columns,
  })
}

export function makeStage(db: Database, columns: Columns = {}): Promise<{ id: number; slug: string }> {
  return insert(db, 'public.kanban_stages', {
    name: 'Visita',
    slug: `visita_${next()}`,
    order_index: 100 + next(),
    ...columns,
  })
}

export function makeCampaign(db: Database, brokerId: string, columns: Columns = {}): Promise<{ id: number }> {
  return insert(db, 'public.remarketing_campaigns', {
    broker_id: brokerId,
    kanban_stage: 'new',
    message: 'Olá, {nome}!',
    status: 'completed',
    ...columns,
  })
}

/** A campaign recipient, not sent yet. */
export function makeRecipient(
  db: Database,
  campaignId: number,
  contact: MadeContact,
): Promise<{ id: number }> {
  return insert(db, 'public.campaign_recipients', {
    campaign_id: campaignId,
    contact_id: contact.id,
    person_id: contact.person_id,
    body: 'Olá!',
  })
}

export function makeRotation(
  db: Database,
  columns: Columns = {},
): Promise<{ id: number; empreendimento: string }> {
  return insert(db, 'public.roletas', { empreendimento: `Residencial ${next()}`, ...columns })
}

export function makeSeat(
  db: Database,
  seat: { roletaName: string; instanceName: string; ordem: number },
): Promise<{ id: string }> {
  return insert(db, 'public.roleta_corretores', seat)
}

type Step = { kind: string; instanceName: string; at: string }

/** A lead's routing case in a rotation, with logged steps. */
export async function makeRoutingCase(
  db: Database,
  { contactId, roletaId: rotationId }: { contactId: number; roletaId: number },
  steps: readonly Step[],
): Promise<{ id: number }> {
  const at = steps[0]?.at ?? '2026-05-05T12:00:00Z'
  const made = await insert<{ id: number }>(db, 'portal.roleta_cases', {
    contact_id: contactId,
    roleta_id: rotationId,
    state: 'done',
    arrived_at: at,
    since: at,
  })
  for (const step of steps)
    await insert(db, 'portal.roleta_events', { ...step, case_id: made.id, roleta_id: rotationId })
  return made
}

export function makeAgent(db: Database, columns: Columns = {}): Promise<{ id: number }> {
  return insert(db, 'public.prompts_agents', { nome_agente: `Agente ${next()}`, ...columns })
}

export function makeChatMessage(db: Database, agentId: number, remotejid: string): Promise<{ id: number }> {
  return insert(db, 'public.agent_chat_messages', {
    agent_id: agentId,
    remotejid,
    message: '{"type":"human","content":"oi"}',
  })
}

/** A broker's quick reply; without a broker it is shared by everyone. */
export function makeQuickReply(
  db: Database,
  brokerId: string | null,
  columns: Columns = {},
): Promise<{ id: string }> {
  return insert(db, 'public.quick_replies', {
    broker_id: brokerId,
    title: `Resposta ${next()}`,
    body: 'Oi, {nome}!',
    ...columns,
  })
}

/** A development with a plan, a unit, a listing and a photo whose bytes are nowhere. */
export async function makeDevelopment(
  db: Database,
  columns: Columns = {},
): Promise<{ id: number; fileId: number }> {
  const { id } = await insert<{ id: number }>(db, 'public.developments', {
    name: `Empreendimento ${next()}`,
    ...columns,
  })
  const ofIt = { development_id: id }
  await insert(db, 'public.development_plans', { ...ofIt, place: 1, name: '2 quartos' })
  await insert(db, 'public.development_units', { ...ofIt, code: '101' })
  await insert(db, 'public.listings', {
    ...ofIt,
    code: `AP-${next()}`,
    business: 'venda',
    kind: 'Residential / Apartment',
    title: 'Apartamento de teste',
    hash: String.raw`\x00`,
    first_seen_at: '2026-11-20T12:00:00Z',
    changed_at: '2026-11-20T12:00:00Z',
  })
  const file = await insert<{ id: number }>(db, 'public.development_media', {
    ...ofIt,
    kind: 'foto',
    place: 1,
    media_id: 'a'.repeat(64),
    mime_type: 'image/jpeg',
    file_name: 'fachada.jpg',
    size_bytes: 1,
  })
  return { id, fileId: file.id }
}

/** A valid session of an account, and its access token's claims. */
export async function signIn(db: Database, account: { id: string }): Promise<Claims> {
  const session = await insert<{ id: string }>(db, 'portal.sessions', {
    account_id: account.id,
    expires_at: '2999-01-01T00:00:00Z',
  })
  return { role: 'authenticated', sub: account.id, session_id: session.id }
}

/** A new administrator, signed in. */
export const signInAdmin = async (db: Database) => signIn(db, await makeAdmin(db))

/** A new gerente of a team, signed in. */
export const signInManager = async (db: Database, teamId: string) => signIn(db, await makeManager(db, teamId))

/** A function that evaluates a SQL expression as a signed-in person. */
export const asking =
  (db: Database) =>
  <T>(who: Claims, sql: string, values: readonly SqlValue[] = []): Promise<T> =>
    asUser(db, who, async (query) => {
      const { rows } = await query<{ answer: T }>(`select ${sql} as answer`, values)
      return rows[0]!.answer
    })

/** Runs `run` as this person and rolls everything back. */
export function tryAs<T>(db: Database, claims: Claims, run: (query: Query) => Promise<T>): Promise<T> {
  return db.transaction(
    async (query) => {
      await becomeUser(query, claims)
      return run(query)
    },
    { rollback: true },
  )
}

/** Resolves once this many other connections of this database wait for a lock; for races on native Postgres. */
export async function untilLockAwaited(db: Database, connections = 1): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await db.query(waiting)).rows.length < connections);
}
