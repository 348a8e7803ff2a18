// `npm run admin`: the operator lists administrators, and resets the access of one.
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { formatDateTime } from '#domain/format.ts'
import { type KnownAdmin, listAdmins, resetAdmin } from '#server/auth/accounts/reset-admin.ts'
import { systemClock } from '#server/clock.ts'
import type { Settings } from '#server/settings.ts'
import { localAddress } from '#server/http/address/local.ts'
import { type CommandOptions, withDatabase } from './with-database.ts'

const USAGE = `npm run admin -- --list
npm run admin -- --reset NOME`

const Intent = v.union([
  v.strictObject({ list: v.literal(true) }),
  v.strictObject({ reset: v.pipe(v.string(), v.trim(), v.toLowerCase(), v.minLength(1)) }),
])
type Intent = v.InferOutput<typeof Intent>

/** Returns the text for the operator. Raises PortalError for mistakes the operator can correct. */
export async function runAdminCommand(args: string[], options: CommandOptions): Promise<string> {
  const intent = readIntent(args)
  return withDatabase(options, async ({ db, settings, place }) => {
    if ('list' in intent) return listed(await listAdmins(db), place)
    const { invite, untilMs } = await resetAdmin({ db, clock: systemClock }, intent.reset)
    return `O acesso de ${intent.reset} (em ${place}) foi redefinido: a senha, a verificação em duas etapas e as sessões dele acabaram.
Abra este link para definir uma senha nova. Ele vale uma vez, até ${formatDateTime(untilMs)}, e não será mostrado de novo:
${linkOf(settings, intent.reset, invite)}`
  })
}

function readIntent(args: string[]): Intent {
  try {
    const { values } = parseArgs({ args, options: { list: { type: 'boolean' }, reset: { type: 'string' } } })
    return v.parse(Intent, { ...values })
  } catch (cause) {
    throw new PortalError('admin.usage', USAGE, { cause })
  }
}

function listed(admins: readonly KnownAdmin[], place: string): string {
  if (admins.length === 0) return `Ainda não há administrador em ${place}.`
  return [`Administradores em ${place}:`, ...admins.map(described)].join('\n')
}

function described({ username, hasPassword, hasSecondStep }: KnownAdmin): string {
  if (!hasPassword) return `  ${username}, ainda sem senha`
  return `  ${username}${hasSecondStep ? ', com verificação em duas etapas' : ''}`
}

/** The address of src/routes/panel.tsx. */
function linkOf({ publicUrl, host, port }: Settings, username: string, invite: string): string {
  const address = new URL('/panel', publicUrl ?? localAddress(host, port))
  address.search = new URLSearchParams({ usuario: username, convite: invite }).toString()
  return address.href
}
