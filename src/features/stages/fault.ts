// Why a change of stages came to nothing: what failed, in the words of spec 8, and the server's reason.

export type Fault = { what: string; why: string | null }
