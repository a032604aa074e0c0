import { describe, expect, it } from 'vitest';
import { deniedTooltip } from '../../../../src/extension/views/messageRow.ts';
import { explainDenials } from '../../../../src/zookeeper/accessDenied.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { hostileTexts, linkPattern } from '../corpus.ts';

function closed(...paths: string[]): FakeClient {
  const client = new FakeClient();
  for (const path of paths) {
    client.put(path);
    client.denied.add(path);
  }
  return client;
}

describe('the tooltip of branches without permission', () => {
  it('names the missing right and the ACL of each', async () => {
    const text = await deniedTooltip(explainDenials(closed('/a', '/b')), ['/a', '/b']);
    expect(text).toMatch(
      /^You have no permission to read \/a\. The right READ is missing on \/a\. The ACL of \/a .*\n/,
    );
    expect(text.split('\n')[1]).toContain('The right READ is missing on /b.');
  });

  it('asks for a handful only, and names the others', async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/n${index}`);
    const client = closed(...paths);
    const lines = (await deniedTooltip(explainDenials(client), paths)).split('\n');
    expect(lines.filter(line => line.includes('READ is missing'))).toHaveLength(5);
    expect(client.reads.filter(read => read.startsWith('getChildren'))).toHaveLength(5);
    expect(lines.slice(-2)).toEqual(['/n19', 'and 10 more']);
  });

  it('says when a branch is open by now, and only names paths without a session', async () => {
    const client = closed('/a');
    client.denied.delete('/a');
    expect(await deniedTooltip(client, ['/a'])).toBe('/a may be read now: refresh the cluster.');
    expect(await deniedTooltip(undefined, ['/a', '/b'])).toBe('/a\n/b');
  });

  it('reports trouble with the connection as such', async () => {
    const client = closed('/a');
    client.lose();
    expect(await deniedTooltip(client, ['/a'])).toMatch(/^\/a: .*(connection|session)/);
  });

  it('keeps foreign text dead', async () => {
    for (const text of hostileTexts)
      expect(await deniedTooltip(new FakeClient(), [`/${text}`])).not.toMatch(linkPattern);
  });
});
