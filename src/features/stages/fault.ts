// Why a change of stages came to nothing: what failed, in the portal's words, and the server's reason.

export type Fault = { what: string; why: string | null }
