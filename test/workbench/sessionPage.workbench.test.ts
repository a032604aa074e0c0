import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { startBlockedServices, type BlockedServices } from './support/blockedServices.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { SessionPage } from './support/sessionPage.ts';
import type { TreeView } from './support/tree.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let services: BlockedServices;
let workbench: Workbench;
let keyboard: Keyboard;
let clusters: TreeView;
let blockers: TreeView;
let testLocks: TreeView;
let page: SessionPage;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  const { connectString } = ensemble;
  services = await startBlockedServices(connectString);
  const settings = {
    'zookeeperLocks.clusters': [{ id: 'live', name: 'Live', connectString, lockRoots: ['/shop'] }],
    'zookeeperLocks.testLocks.autoReleaseSeconds': 600,
  };
  workbench = await openWorkbench({ settings, viewport: { width: 1400, height: 1000 } });
  keyboard = new Keyboard(workbench.page);
  page = new SessionPage(workbench.page);
  clusters = workbench.tree('Clusters');
  blockers = workbench.tree('Blockers');
  testLocks = workbench.tree('Test Locks');
  await workbench.openContainer('ZooKeeper Locks');
  await clusters.expand('Live');
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await services.stop();
  await ensemble.stop();
});

function titleOf(service: string): string {
  return `Session ${services.of(service).session}`;
}

/** A page that had the keyboard may take it back from the question that follows the palette: the view has it first. */
async function run(command: string): Promise<void> {
  await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
  await keyboard.run(`ZooKeeper Locks: ${command}`);
}

/** Types into *Find*, waits for what it finds first, and takes that. */
async function find(text: string, first: RegExp): Promise<void> {
  await run('Find Lock, Client or Session');
  await keyboard.seeQuestion('Find Lock, Client or Session');
  await workbench.page.keyboard.insertText(text);
  await eventually(async () => expect((await workbench.quickPickLabels())[0]).toMatch(first), 15_000);
  await workbench.screenshot(`find-${first.source.replaceAll(/\W/gu, '')}`);
  await keyboard.press('Enter');
}

async function closeAll(): Promise<void> {
  await workbench.runCommand('View: Close All Editors');
}

/** How much the page is wider than what is in sight. */
async function overflow(): Promise<number> {
  return (await page.frame()).evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

async function scrollTo(selector: string): Promise<void> {
  await page.find(selector).evaluate(element => element.scrollIntoView());
}

describe('the page of a session', () => {
  it('opens from a row of Clusters, and says what the session holds and waits for', async () => {
    await clusters.seeRow('/shop/stock', /held by checkout/u);
    await clusters.expand('/shop/stock');
    await clusters.chooseFromMenu('#1 checkout', 'Show Session', () => page.seeTitle(titleOf('checkout')));
    await page.see('live');
    await page.seeAtTop(/Live[^]*holds 1.*waits for 1.*others that wait for it: 2/u);
    await eventually(async () =>
      expect(await page.rowsOf('holds-and-waits')).toEqual([
        expect.stringMatching(/^stock \/shop\/stock holds.* —$/u),
        expect.stringMatching(/^orders \/shop\/orders waits.*place 2 of 2.* billing$/u),
      ]),
    );
  });

  it('says what frees if it ended now, and to whom it goes', async () => {
    const text = await page.seeIn('if-ended', /Locks that lose a holder: 1\. Locks that someone else gets: 1\./u);
    expect(text).toMatch(/stock \/shop\/stock\s+Goes to mailing\./u);
    expect(text).toMatch(/orders \/shop\/orders\s+Only its place in the queue goes\./u);
    expect(text).toMatch(/keeps its locks until its session times out/u);
    await workbench.runCommand('ZooKeeper Locks: Focus on Clusters View');
    await page.find('#if-ended vscode-button, #if-ended .button', 'Copy what frees').click();
    const copied = (): Promise<string> => workbench.page.evaluate(() => navigator.clipboard.readText());
    await eventually(async () => expect(await copied()).toMatch(/\/shop\/stock: Goes to mailing\./u));
  });

  it('has the address by itself, and the watches once the servers are asked', async () => {
    await page.seeIn('facts-known', /The session is alive\.[^]*127\.0\.0\.1:\d+[^]*The servers were asked/u);
    await page.seeIn('watches', /Not known: which nodes it watches/u);
    await page.tabTo('#facts-known .button');
    await keyboard.press('Enter');
    // It waits for the node of `billing` to go.
    await page.seeIn('watches', /Watched nodes: [1-9][^]*\/shop\/orders/u);
    await workbench.screenshot('session-asked');
  });

  it('leads to all sessions of its address, and from there to each', async () => {
    await page.find('#facts-known .link', '127.0.0.1').click();
    await page.seeTitle('Address 127.0.0.1');
    const text = await page.seeIn('sessions-found', new RegExp(services.of('ledger').session, 'u'));
    for (const { session } of services.all.values()) expect(text).toContain(session);
    // All end together, so no client of this machine gets anything.
    await page.seeIn('if-ended', /Locks that lose a holder: 4\.(?! Locks that someone)/u);
    await workbench.screenshot('session-address');
    expect(await page.findings()).toEqual([]);
    await page.find('#sessions-found .link', services.of('checkout').session).click();
    await page.seeTitle(titleOf('checkout'));
    await closeAll();
  });

  it('opens from a row of Blockers', async () => {
    await workbench.runCommand('ZooKeeper Locks: Focus on Blockers View');
    await blockers.seeRow('billing', /^4 wait/u);
    await blockers.pressInline('billing', 'Show Session', () => page.seeTitle(titleOf('billing')));
    await page.seeIn('if-ended', /Goes to checkout\./u);
  });

  it('opens from the menu of a node in the panel of a lock, by keyboard', async () => {
    await clusters.chooseFromMenu('/shop/mail', 'Show Queue', () => page.seeLock('/shop/mail'));
    await page.tabTo('.picture .node');
    await page.chooseByKeys('Show session');
    await page.seeTitle(titleOf('mailing'));
    await page.seeAtTop(/holds 1.*waits for 1.*others that wait for it: 1/u);
    await closeAll();
  });

  it('opens from a test lock: the session of this window', async () => {
    await run('Acquire Mutex…');
    await keyboard.answerAll([[/Which lock/u, ['/shop/tax']]], () => testLocks.seeRow('/shop/tax', /waits/u, 500));
    await testLocks.chooseFromMenu('/shop/tax', 'Show Session', () => page.find('.session-page').waitFor());
    await page.seeAtTop(/Session 0x[0-9a-f]+[^]*holds 0.*waits for 1/u);
    await eventually(async () =>
      expect((await page.rowsOf('holds-and-waits')).join('\n')).toMatch(/^tax \/shop\/tax waits.* refunds$/u),
    );
    await run('Stop Waiting');
    await page.seeAtTop(/It has no node in the locks that are read\./u);
    await closeAll();
  });

  it('has a picture that is used by the keyboard alone', async () => {
    await run('Show Session');
    await keyboard.answer('Which session?', services.of('checkout').session);
    await page.seeTitle(titleOf('checkout'));
    await page.find('.graph .node').first().waitFor();
    const nodes = await page.find('.graph .node').evaluateAll(all => all.map(each => each.getAttribute('aria-label')));
    // billing > orders > checkout > stock > mailing, pricing > mail > search
    expect(nodes).toHaveLength(8);
    await page.goToNode(/^mailing/u);
    await eventually(async () => expect(await page.find('.graph .caption').innerText()).toMatch(/mailing/u));
    await workbench.screenshot('session-picture-focus');
    await keyboard.press('Enter');
    await page.seeTitle(titleOf('mailing'));
    await page.goToNode(/^stock/u);
    await keyboard.press('Enter');
    await page.seeLock('/shop/stock');
    await closeAll();
  });
});

describe('Find', () => {
  it('leads from an id of a log to the page of the session', async () => {
    await find(`WARN lost ${services.of('checkout').session} again`, /0x/u);
    await page.seeTitle(titleOf('checkout'));
  });

  it('leads from a path to the panel of the lock', async () => {
    await find('/shop/mail', /mail/u);
    await page.seeLock('/shop/mail');
  });

  it('leads from a client to the page of all its sessions', async () => {
    await find('pricing', /pricing/u);
    await page.seeTitle('Identifier pricing');
    await page.seeIn('sessions-found', new RegExp(services.of('pricing').session, 'u'));
    expect(await page.findings()).toEqual([]);
  });

  it('is the question of Show Session, too, with sessions at first, and without locks', async () => {
    await run('Show Session');
    await keyboard.seeQuestion('Which session?');
    await eventually(async () => {
      const labels = await workbench.quickPickLabels();
      expect(labels.length).toBeGreaterThan(1);
      for (const label of labels) expect(label).toMatch(/0x[0-9a-f]+/u);
    }, 15_000);
    await workbench.page.keyboard.insertText('mail');
    // Not the lock /shop/mail.
    await eventually(async () => {
      const labels = await workbench.quickPickLabels();
      expect(labels).toEqual([expect.stringMatching(/mailing/u)]);
    }, 15_000);
    await workbench.screenshot('find-session');
    await keyboard.press('Enter');
    await page.seeTitle('Identifier mailing');
  });

  it('leads from an address to its page', async () => {
    await find('127.0.0.1', /127\.0\.0\.1/u);
    await page.seeTitle('Address 127.0.0.1');
    await closeAll();
  });
});

describe('the page of a session, all the while', () => {
  it.each([
    ['light', 'Light Modern', 'vscode-light'],
    ['high-contrast', 'Dark High Contrast', 'vscode-high-contrast'],
    ['dark', 'Dark Modern', 'vscode-dark'],
  ] as const)('can be read in a %s theme, whatever its width', async (name, theme, kind) => {
    await run('Show Session');
    await keyboard.answer('Which session?', services.of('checkout').session);
    await page.seeTitle(titleOf('checkout'));
    await workbench.chooseTheme(theme);
    await page.find(`body[data-vscode-theme-kind='${kind}']`).waitFor({ timeout: 10_000 });
    await page.seeIn('facts-known', /127\.0\.0\.1/u);
    await workbench.screenshot(`session-${name}`);
    expect(await page.findings()).toEqual([]);
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    // Beside the page stands the bar of the activities.
    await workbench.page.setViewportSize({ width: 360, height: 1000 });
    await eventually(async () => expect(await overflow()).toBeLessThanOrEqual(0));
    await scrollTo('h1');
    await workbench.screenshot(`session-${name}-300`);
    await scrollTo('#who-waits');
    await workbench.screenshot(`session-${name}-300-picture`);
    await scrollTo('#facts-known');
    await workbench.screenshot(`session-${name}-300-facts`);
    expect(await page.findings()).toEqual([]);
    await workbench.page.setViewportSize({ width: 1400, height: 1000 });
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await scrollTo('#who-waits');
    await workbench.screenshot(`session-${name}-below`);
  });

  it('is live: another one lets go, then it ends itself', async () => {
    await services.of('billing').release('/shop/orders');
    await page.seeAtTop(/holds 2.*waits for 0/u);
    await page.seeIn('if-ended', /orders \/shop\/orders\s+Becomes free: no one else waits\./u);
    await services.of('checkout').stop();
    await page.seeAtTop(/It has no node in the locks that are read\./u);
    await page.tabTo('#facts-known .button');
    await keyboard.press('Enter');
    await page.seeIn('facts-known', /The session is over/u);
    expect(await page.findings()).toEqual([]);
    await workbench.screenshot('session-over');
    await closeAll();
  });

  it('comes back with a window that is loaded again, and connects nothing by itself', async () => {
    await run('Show Session');
    // Of one that no page was about before: it may have written those.
    await keyboard.answer('Which session?', services.of('pricing').session);
    await page.seeAtTop(/holds 0.*waits for 1/u);
    await workbench.waitForState(`"subject":{"session":"${services.of('pricing').session}"}`, 'connectedClusters');
    await workbench.reload();
    await workbench.openContainer('ZooKeeper Locks');
    await page.seeTitle(titleOf('pricing'));
    await page.seeAtTop(/Live[^]*There is no connection to the cluster\./u);
    await clusters.seeRow('Live', /not connected/u, 30_000);
    await workbench.screenshot('session-reloaded');
    expect(await page.findings()).toEqual([]);
    await page.tabTo('.button:has-text("Connect")');
    await keyboard.press('Enter');
    await page.seeAtTop(/holds 0.*waits for 1/u);
    await clusters.seeRow('Live', /connected/u);
  });
});
