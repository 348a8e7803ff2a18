// What tests use of http_ece, which comes without types.
declare module 'http_ece' {
  const ece: {
    decrypt(
      body: Buffer,
      parameters: { version: 'aes128gcm'; privateKey: import('node:crypto').ECDH; authSecret: string },
    ): Buffer
  }
  export default ece
}
