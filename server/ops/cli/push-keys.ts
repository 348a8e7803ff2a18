// `npm run push-keys`: makes a new key pair for pushes, if the secret that encrypted the old one is lost.
import { parseArgs } from 'node:util'
import { PortalError } from '#domain/errors.ts'
import { countOf } from '#domain/count.ts'
import { forgetKeys } from '#server/push/push-keys.ts'
import { type CommandOptions, withDatabase } from './with-database.ts'

const USAGE = `npm run push-keys -- --renew
Só quando a JWT_SECRET antiga se perdeu: com ela de volta, os avisos voltam sozinhos.`

/** Returns the text for the operator. Raises PortalError for mistakes the operator can correct. */
export async function runPushKeysCommand(args: string[], options: CommandOptions): Promise<string> {
  if (!isRenewal(args)) throw new PortalError('push-keys.usage', USAGE)
  return withDatabase(options, async ({ db, place }) => {
    const devices = countOf(await forgetKeys(db), 'aparelho', 'aparelhos')
    return `As chaves dos avisos (em ${place}) foram esquecidas, e com elas ${devices}.
Reinicie todos os portais deste banco: a partida faz chaves novas. Cada aparelho volta a receber avisos quando o aplicativo for aberto nele.`
  })
}

function isRenewal(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { renew: { type: 'boolean' } } }).values.renew === true
  } catch {
    return false
  }
}
