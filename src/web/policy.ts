// What a page of the app may do: run its own scripts, ask its own server, and nothing else.

/**
 * Styles that the components make while they run carry the nonce of the page; there is no other inline style and no
 * inline script. Pictures may be `data:` and `blob:` because charts are downloaded that way.
 */
export const pageHeaders = (nonce: string, embedded = false): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    // Framing is what an embedded page is for; every other is shown by itself only.
    ...(embedded ? [] : ["frame-ancestors 'none'"]),
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  // The nonce is for this answer only.
  'cache-control': 'no-store',
});
