// `npm run token`: the operator creates, lists and revokes service tokens.
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { formatDate } from '#domain/format.ts'
import {
  AGENT_GRANTS,
  createServiceTokens,
  GRANTS,
  type ServiceToken,
} from '#server/auth/tokens/service-tokens.ts'
import { createTokens } from '#server/auth/tokens/token.ts'
import { systemClock } from '#server/clock.ts'
import { keepJwtSecret } from '#server/jwt-secret.ts'
import { type CommandOptions, withDatabase } from './with-database.ts'

const USAGE = `npm run token -- --service NOME [--grants ${GRANTS.join()}] [--days 365]
npm run token -- --list
npm run token -- --revoke ID_OU_NOME`

const Intent = v.object({
  service: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60))),
  grants: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(',')),
      v.array(v.picklist(GRANTS)),
    ),
  ),
  days: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/), v.transform(Number)), '365'),
  list: v.optional(v.boolean(), false),
  revoke: v.optional(v.pipe(v.string(), v.minLength(1))),
})
type Intent = v.InferOutput<typeof Intent>

/** Returns the text for the operator. Raises PortalError for mistakes the operator can correct. */
export async function runTokenCommand(args: string[], options: CommandOptions): Promise<string> {
  const intent = readIntent(args)
  return withDatabase(options, async ({ db, dataDir, settings }) => {
    const jwtSecret = settings.jwtSecret ?? (await keepJwtSecret(dataDir, db))
    const services = createServiceTokens({
      db,
      clock: systemClock,
      tokens: createTokens(jwtSecret, systemClock),
    })
    if (intent.revoke !== undefined) {
      const count = await services.revoke(intent.revoke)
      return count === 1 ? 'O token foi revogado.' : `${count} tokens foram revogados.`
    }
    if (intent.service === undefined) return listed(await services.list())
    const { token, service } = await services.mint({
      name: intent.service,
      grants: intent.grants ?? AGENT_GRANTS,
      days: intent.days,
    })
    return `Token de ${described(service)}\nGuarde-o agora, não será mostrado de novo:\n${token}`
  })
}

function readIntent(args: string[]): Intent {
  try {
    const { values } = parseArgs({
      args,
      options: {
        service: { type: 'string' },
        grants: { type: 'string' },
        days: { type: 'string' },
        list: { type: 'boolean' },
        revoke: { type: 'string' },
      },
    })
    const intent = v.parse(Intent, values)
    const wanted = [intent.service !== undefined, intent.revoke !== undefined, intent.list]
    if (wanted.filter(Boolean).length === 1) return intent
  } catch (cause) {
    throw new PortalError('token.usage', USAGE, { cause })
  }
  throw new PortalError('token.usage', USAGE)
}

const listed = (services: readonly ServiceToken[]) =>
  services.length === 0 ? 'Nenhum token de serviço.' : services.map(described).join('\n')

function described({ id, name, grants, expiresAt, revokedAt }: ServiceToken): string {
  const end =
    revokedAt === null
      ? `vale até ${formatDate(Date.parse(expiresAt))}`
      : `revogado em ${formatDate(Date.parse(revokedAt))}`
  return `${name} (${id}): ${grants.join(', ')}; ${end}`
}
