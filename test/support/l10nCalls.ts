import ts from 'typescript';

export interface L10nCall {
  line: number;
  /** The first argument; `undefined` if it is no plain literal, so that it cannot be extracted. */
  text: string | undefined;
  values: number;
}

/** Every call of `l10n.t` in a source, as TypeScript's own parser sees it. */
export function l10nCalls(fileName: string, contents: string): L10nCall[] {
  const source = ts.createSourceFile(fileName, contents, ts.ScriptTarget.Latest, true);
  const calls: L10nCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && /(?:^|\.)l10n\.t$/u.test(node.getText()))
      calls.push(callOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

function callOf(callee: ts.PropertyAccessExpression, source: ts.SourceFile): L10nCall {
  const line = source.getLineAndCharacterOfPosition(callee.getStart()).line + 1;
  const call = callee.parent;
  // A reference that is not called here may be called with anything.
  if (!ts.isCallExpression(call) || call.expression !== callee) return { line, text: undefined, values: 0 };
  const [message, ...values] = call.arguments;
  const text = message !== undefined && ts.isStringLiteral(message) ? message.text : undefined;
  return { line, text, values: values.length };
}
