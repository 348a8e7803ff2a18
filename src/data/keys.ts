// Every query key of the app. HOUSE 2.

export const keys = {
  board: (instanceName: string) => ['board', instanceName] as const,
  conversation: (contactId: number) => ['conversation', contactId] as const,
  /** The broker's line at the WhatsApp gateway. */
  link: (instanceName: string) => ['link', instanceName] as const,
  health: () => ['health'] as const,
}
