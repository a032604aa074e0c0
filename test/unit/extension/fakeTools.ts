/** What the tools for language models use of VS Code. `offered` and `texts` are what a test looks at. */

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: LanguageModelTextPart[];
  constructor(content: LanguageModelTextPart[]) {
    this.content = content;
  }
}

export class MarkdownString {
  /** What was added as text, which VS Code escapes. */
  readonly texts: string[] = [];
  appendText(text: string): this {
    this.texts.push(text);
    return this;
  }
  appendMarkdown(): this {
    return this;
  }
}

interface Tool {
  prepareInvocation(
    options: { input: unknown },
    token: unknown,
  ): Promise<{ confirmationMessages: { title: string; message: MarkdownString } }>;
  invoke(options: { input: unknown }, token: unknown): Promise<LanguageModelToolResult>;
}

/** The tools that are registered now, by name. */
export const offered = new Map<string, Tool>();

export const lm = {
  registerTool(name: string, tool: Tool): { dispose(): void } {
    offered.set(name, tool);
    return { dispose: () => void offered.delete(name) };
  },
};
