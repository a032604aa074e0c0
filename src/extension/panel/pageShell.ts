/** Where the page's own files are, as addresses that the webview may load. */
export interface ShellParts {
  script: string;
  style: string;
  /** What the webview's files come from (`Webview.cspSource`). */
  source: string;
  /** Fresh for each page, not to be guessed. */
  nonce: string;
  language: string;
}

/** What the page may load: its script by nonce and its style sheet, nothing else, from nowhere else. */
export function contentPolicy({ source, nonce }: Pick<ShellParts, 'source' | 'nonce'>): string {
  return `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}`;
}

/** The page before its script runs. No part of it is foreign text. */
export function pageShell(parts: ShellParts): string {
  return `<!DOCTYPE html>
<html lang="${parts.language}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${contentPolicy(parts)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${parts.style}" />
    <title></title>
  </head>
  <body>
    <script nonce="${parts.nonce}" src="${parts.script}"></script>
  </body>
</html>
`;
}
