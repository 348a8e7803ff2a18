// Explains why a change of stages failed: the portal's text and the server's reason.

export type Fault = { what: string; why: string | null }
