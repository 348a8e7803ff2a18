// The parts of GoTrue's protocol that the portal does not offer: each path answers so in GoTrue's format.
import { Hono } from 'hono'
import { answerRefusal, type Refusal } from './wire.ts'

const closed = (code: string, message: string, status: Refusal['status'] = 422): Refusal => ({
  status,
  code,
  message,
})

const signup = closed(
  'signup_disabled',
  'O cadastro está fechado: quem cadastra corretores é o administrador.',
)
const otp = closed('otp_disabled', 'A entrada por código ou link está fechada. Entre com usuário e senha.')
const provider = closed(
  'provider_disabled',
  'A entrada por outros serviços está fechada. Entre com usuário e senha.',
)
const sso = closed('saml_provider_disabled', provider.message)
const recover = closed(
  'email_provider_disabled',
  'O portal não envia e-mails. Peça ao administrador para redefinir a sua senha.',
)
const identities = closed('manual_linking_disabled', 'A ligação com outras contas está fechada.', 404)

const PATHS: readonly (readonly [path: string, refusal: Refusal])[] = [
  ['/signup', signup],
  ['/otp', otp],
  ['/magiclink', otp],
  ['/verify', otp],
  ['/resend', otp],
  ['/sso', sso],
  ['/authorize', provider],
  ['/callback', provider],
  ['/recover', recover],
  ['/reauthenticate', recover],
  ['/user/identities/*', identities],
]

/** Closed grants of `/token`; any other is unknown. */
export const CLOSED_GRANTS = new Map([
  ['pkce', provider],
  ['id_token', provider],
  ['web3', provider],
])

/** Sign-in by phone is refused without looking for an account. */
export const closedPhone = closed(
  'phone_provider_disabled',
  'A entrada por telefone está fechada. Entre com usuário e senha.',
)

export function createClosedRoutes(): Hono {
  const routes = new Hono()
  for (const [path, refusal] of PATHS) routes.all(path, (context) => answerRefusal(context, refusal))
  return routes
}
