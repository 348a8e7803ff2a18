// Sentences of the administrators' login alone: a broker's way fetches none of them.

export const WRONG_ADMIN = 'Credenciais de administrador inválidas'
export const HAS_PASSWORD = 'Já tenho senha'
export const CODE_HINT =
  'Digite o código de 6 dígitos do seu aplicativo autenticador. Sem ele, use um código de recuperação.'
export const CODE_REQUIRED = 'Digite o código.'
export const VERIFY_FAILED = 'Não foi possível verificar o código. Tente de novo.'
